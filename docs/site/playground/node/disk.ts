/** There are no files but those of the gallery, which anybody may read. */
export const isUnsafeHere = (): boolean => false
