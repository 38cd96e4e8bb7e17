/** A range in the file's text. Lines and columns count from 1. */
export interface SourcePlace {
  /** The file, where it is not the scenario's own. */
  readonly file?: string
  readonly line: number
  readonly column: number
  readonly length: number
}
