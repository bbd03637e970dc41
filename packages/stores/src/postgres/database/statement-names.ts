/** Names for prepared statements: each text is parsed once per connection. */
export function createStatementNames(): (sql: string) => string {
  const names = new Map<string, string>()
  return (sql) => {
    const known = names.get(sql)
    if (known !== undefined) return known
    const name = `capstan_${names.size + 1}`
    names.set(sql, name)
    return name
  }
}
