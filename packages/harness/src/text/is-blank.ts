/** Whether a person sees nothing of a text: white space, and characters that have no shape. */
export const isBlank = (text: string): boolean => text.replaceAll(UNSEEN, '').trim() === ''

const UNSEEN = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/gu
