/** Files below configured roots. Paths outside of every root are refused with `PermissionDenied`, whether they exist or not. */
export interface Folder {
  /** The roots, absolute. */
  readonly roots: readonly string[]
  /** The absolute path that a caller's path names, or a fault. Relative paths are tried below each root in order. */
  resolve(path: string): string
  readText(path: string): Promise<string>
  readBytes(path: string): Promise<Buffer>
}

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
