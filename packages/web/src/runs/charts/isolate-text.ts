/** A text that runs its own way inside a chart, whose time runs left to right: "10 s" in Arabic is read from the right. */
export const isolateText = (text: string): string => `\u2068${text}\u2069`
