/** Isolates the direction of a text: charts run left to right, but "10 s" in Arabic is read from the right. */
export const isolateText = (text: string): string => `\u2068${text}\u2069`
