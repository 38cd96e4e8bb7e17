import { Fault } from '../base/fault.ts'

/** Files below configured roots. */
export interface Folder {
  /** The roots, absolute. */
  readonly roots: readonly string[]
  /** The absolute path that a caller's path names; a relative one is tried below each root in order. Throws `outside`. */
  resolve(path: string): string
  readText(path: string): Promise<string>
  readBytes(path: string): Promise<Buffer>
}

/** One sentence for what is outside and what does not exist, so that the answer never reveals which files exist. */
export const outside = (path: string): Fault =>
  new Fault('BadRequest', `${JSON.stringify(path)} names no file below the folders this server may read`, { path })

/** Lines that grow at their end and survive a killed process. */
export interface LineFile {
  readonly path: string
  append(line: string): void
}

/** A place to write to: traces and audit logs. */
export interface Drawer {
  /** Absolute. */
  readonly path: string
  /** `rotate`: the file moves aside at `bytes`, and the oldest of `backups` goes. */
  lines(name: string, rotate?: { readonly bytes: number; readonly backups: number }): LineFile
  writeBytes(name: string, bytes: Uint8Array): void
  below(name: string): Drawer
}
