/** A range in the file's text. Lines and columns count from 1. */
export interface SourcePlace {
  readonly line: number
  readonly column: number
  readonly length: number
}
