const MAX_RESULT_CHARACTERS = 4000

/** Cuts a result to the length that a model receives at most. */
export const clipResult = (text: string): string =>
  text.length > MAX_RESULT_CHARACTERS ? `${text.slice(0, MAX_RESULT_CHARACTERS)}…` : text
