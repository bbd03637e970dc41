import { describe, expect, it } from 'vitest'
import { toLoginCommand } from './login-command.ts'

const env = { HOME: '/home/ada', CAPSTAN_HOME: '/srv/capstan' }

describe('the login command', () => {
  it('names the data folder unless it is the usual one', () => {
    expect(toLoginCommand('/home/ada/.capstan', env)).toBe('npx capstan login')
    expect(toLoginCommand('/srv/capstan', env)).toBe('npx capstan login --home /srv/capstan')
  })

  it('can be pasted into a shell', () => {
    expect(toLoginCommand("/srv/Ada's $(data)", env)).toBe(
      String.raw`npx capstan login --home '/srv/Ada'\''s $(data)'`,
    )
  })
})
