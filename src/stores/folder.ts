import { Fault } from '../base/fault.ts'
import { shortened } from '../base/strings.ts'

/** The kinds of readable files, with their name endings. `shown` is for pictures in scenarios, `any` is for files that are served as they are. */
const ENDINGS = {
  scenario: ['.yaml', '.yml'],
  trace: ['.jsonl'],
  picture: ['.png', '.jpg', '.jpeg'],
  shown: ['.png', '.svg'],
  any: [],
} as const satisfies Record<string, readonly string[]>

export type FileKind = keyof typeof ENDINGS

/** Reads files below configured roots. */
export interface Folder {
  /** The absolute paths of the roots. */
  readonly roots: readonly string[]
  /**
   * Resolves a caller's path to an absolute path. Tries a relative path below each root in order. The ending of a
   * scenario is optional. Throws `outside`.
   */
  resolve(path: string, kind: FileKind): string
  readText(path: string, kind: FileKind): Promise<string>
  readBytes(path: string, kind: FileKind): Promise<Buffer>
  /** Reads a small file at once. */
  readNow(path: string, kind: FileKind): Buffer
  /** The names of the scenarios directly in the roots, without their endings. */
  scenarioNames(): readonly string[]
}

/** Returns whether a path below a root may be read as this kind of file: the ending must match, and no part may be hidden. */
export const hasReadableName = (path: string, kind: FileKind): boolean => {
  if (kind === 'any') return true
  const name = path.toLowerCase()
  return (
    ENDINGS[kind].some((ending) => name.endsWith(ending)) && !path.split(/[\\/]/).some((part) => part.startsWith('.'))
  )
}

/** Returns the candidate paths of a scenario, with and without the ending, in the order of lookup. */
export const scenarioCandidates = (path: string): readonly string[] =>
  ENDINGS.scenario.some((ending) => path.toLowerCase().endsWith(ending))
    ? [path]
    : [path, ...ENDINGS.scenario.map((ending) => path + ending)]

/** The names of the scenarios among some files, without their endings. */
export const scenarioNamesAmong = (files: readonly string[]): readonly string[] =>
  files.filter((file) => hasReadableName(file, 'scenario')).map((file) => file.replace(/\.ya?ml$/i, ''))

/** The same error for outside and missing files, so that the response does not reveal which files exist. */
export function fileNotFound(path: string, kind: FileKind): Fault {
  const endings = kind === 'any' ? '' : ` that ends in ${ENDINGS[kind].join(', ')}`
  return new Fault(
    'BadRequest',
    `${JSON.stringify(shortened(path))} names no file${endings} below the folders this server may read`,
    { path: shortened(path) },
  )
}

/** An append-only file of lines that survives a killed process. */
export interface LineFile {
  readonly path: string
  append(line: string): void
}

/** An output directory for traces and audit logs. */
export interface OutputDirectory {
  /** The absolute path of the directory. */
  readonly path: string
  /** `rotate`: renames the file at `bytes`, and deletes the oldest of `backups`. */
  lines(name: string, rotate?: { readonly bytes: number; readonly backups: number }): LineFile
  writeBytes(name: string, bytes: Uint8Array): void
  subdirectory(name: string): OutputDirectory
}

/** A file in memory that other programs of this machine map. */
export interface FrameFile {
  /** Where other programs open it. */
  readonly path: string
  /** Writes bytes at an offset. */
  write(bytes: Uint8Array, at: number): void
  close(): void
}

/** Creates a frame file of a size in bytes. Throws `Busy` when too many are open. */
export type OpenFrameFile = (bytes: number) => FrameFile
