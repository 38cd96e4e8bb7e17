import { Fault } from '../base/fault.ts'

/** What is read for whom, and how the names of such files end. `any` is for files that are there to be sent. */
const ENDINGS = {
  scenario: ['.yaml', '.yml'],
  trace: ['.jsonl'],
  picture: ['.png', '.jpg', '.jpeg'],
  any: [],
} as const satisfies Record<string, readonly string[]>

export type FileKind = keyof typeof ENDINGS

/** Files below configured roots. */
export interface Folder {
  /** The roots, absolute. */
  readonly roots: readonly string[]
  /**
   * The absolute path that a caller's path names; a relative one is tried below each root in order, and the ending of a
   * scenario may be left out. Throws `outside`.
   */
  resolve(path: string, kind: FileKind): string
  readText(path: string, kind: FileKind): Promise<string>
  readBytes(path: string, kind: FileKind): Promise<Buffer>
}

/** Whether a path below a root may be read as a file of this kind: by its ending, and not if a part of it is hidden. */
export const hasReadableName = (path: string, kind: FileKind): boolean => {
  if (kind === 'any') return true
  const name = path.toLowerCase()
  return (
    ENDINGS[kind].some((ending) => name.endsWith(ending)) && !path.split(/[\\/]/).some((part) => part.startsWith('.'))
  )
}

/** A scenario by its path or by its name without the ending, in the order in which they are tried. */
export const scenarioCandidates = (path: string): readonly string[] =>
  ENDINGS.scenario.some((ending) => path.toLowerCase().endsWith(ending))
    ? [path]
    : [path, ...ENDINGS.scenario.map((ending) => path + ending)]

/** One sentence for what is outside and what does not exist, so that the answer never reveals which files exist. */
export function fileNotFound(path: string, kind: FileKind): Fault {
  const endings = kind === 'any' ? '' : ` that ends in ${ENDINGS[kind].join(', ')}`
  return new Fault(
    'BadRequest',
    `${JSON.stringify(path)} names no file${endings} below the folders this server may read`,
    { path },
  )
}

/** Lines that grow at their end and survive a killed process. */
export interface LineFile {
  readonly path: string
  append(line: string): void
}

/** A place to write to: traces and audit logs. */
export interface OutputDirectory {
  /** Absolute. */
  readonly path: string
  /** `rotate`: the file moves aside at `bytes`, and the oldest of `backups` goes. */
  lines(name: string, rotate?: { readonly bytes: number; readonly backups: number }): LineFile
  writeBytes(name: string, bytes: Uint8Array): void
  subdirectory(name: string): OutputDirectory
}
