import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { Fault } from '../base/fault.ts'
import {
  type FileKind,
  type Folder,
  fileNotFound,
  hasReadableName,
  type LineFile,
  type OutputDirectory,
  scenarioCandidates,
  scenarioNamesAmong,
} from './folder.ts'

const MAX_FILE_BYTES = 32 * 1024 * 1024

/** Reads files of the requested kind below `roots`. Rejects links that lead outside. */
export function diskFolder(roots: readonly string[]): Folder {
  const absolute = roots.map((root) => resolve(root))

  function resolvePath(path: string, kind: FileKind): string {
    if (path === '' || path.includes('\0') || isUnsafeHere(path)) throw fileNotFound(path, kind)
    // A root may be created later, as the trace folder is by the first trace.
    const real = absolute.flatMap((root) => locate(root) ?? [])
    const names = kind === 'scenario' ? scenarioCandidates(path) : [path]
    const bases = isAbsolute(path) ? [''] : [...absolute, '.']
    for (const base of bases) {
      for (const name of names) {
        const found = locate(resolve(base, name))
        if (found && real.some((root) => isBelow(root, found) && hasReadableName(relative(root, found), kind)))
          return found
      }
    }
    throw fileNotFound(path, kind)
  }

  /** The absolute path of a file that may be read. */
  function checked(path: string, kind: FileKind): string {
    const found = resolvePath(path, kind)
    checkFile(found, path, kind)
    return found
  }
  function isReadable(scenario: string): boolean {
    try {
      return resolvePath(scenario, 'scenario') !== ''
    } catch {
      return false
    }
  }
  const readBytes = async (path: string, kind: FileKind) => readFile(checked(path, kind))

  return {
    roots: absolute,
    resolve: resolvePath,
    readText: async (path, kind) => (await readBytes(path, kind)).toString('utf8'),
    readBytes,
    readNow: (path, kind) => readFileSync(checked(path, kind)),
    scenarioNames: () => absolute.flatMap((root) => scenarioNamesAmong(filesOf(root))).filter(isReadable),
  }
}

function filesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    // A root may be created later.
    return []
  }
}

function locate(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch {
    return undefined
  }
}

/** Whether a path is a root or below it, regardless of letter case on Windows. */
function isBelow(root: string, path: string): boolean {
  const rest = relative(root, path)
  return rest !== '..' && !rest.startsWith(`..${sep}`) && !isAbsolute(rest)
}

/** Throws `BadRequest` for anything but a file that is not too large. */
function checkFile(path: string, asked: string, kind: FileKind): void {
  const about = statSync(path)
  if (!about.isFile()) throw fileNotFound(asked, kind)
  if (about.size > MAX_FILE_BYTES)
    throw new Fault('BadRequest', `the file has ${about.size} bytes; at most ${MAX_FILE_BYTES} are read`, {
      path: asked,
    })
}

/** Writes below `path`, which is created with the first file. Line files may have an absolute path set by the operator. */
export function diskOutput(path: string): OutputDirectory {
  const root = resolve(path)
  return {
    path: root,
    subdirectory: (name) => diskOutput(join(root, name)),
    lines: (name, rotate) => lineFile(resolve(root, name), rotate),
    writeBytes: (name, bytes) => {
      const file = join(root, name)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, bytes)
    },
  }
}

function lineFile(path: string, rotate?: { readonly bytes: number; readonly backups: number }): LineFile {
  let size: number | undefined
  return {
    path,
    append: (line) => {
      const bytes = Buffer.from(`${line}\n`)
      if (size === undefined) {
        mkdirSync(dirname(path), { recursive: true })
        size = existsSync(path) ? statSync(path).size : 0
      }
      if (rotate && size > 0 && size + bytes.length > rotate.bytes) {
        rotateFile(path, rotate.backups)
        size = 0
      }
      appendFileSync(path, bytes)
      size += bytes.length
    },
  }
}

function rotateFile(path: string, backups: number): void {
  if (backups === 0) {
    rmSync(path, { force: true })
    return
  }
  for (let number = backups - 1; number >= 1; number--) {
    if (existsSync(`${path}.${number}`)) renameSync(`${path}.${number}`, `${path}.${number + 1}`)
  }
  renameSync(path, `${path}.1`)
}

/** Names of devices, which Windows opens in any folder and with any ending. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])(?: *\.| *:| *$)/i

/**
 * Whether Windows would open something else than a file below a folder: another machine, a device, a stream of a file, or
 * another name, since it ignores dots and spaces at the end. Asking another machine about a file also sends it a password.
 */
export function isUnsafeOnWindows(path: string): boolean {
  if (/^[\\/]{2}/.test(path)) return true
  const withoutDrive = path.replace(/^[a-z]:(?=[\\/])/i, '')
  return withoutDrive.includes(':') || withoutDrive.split(/[\\/]/).some(isUnsafePart)
}

const isUnsafePart = (part: string): boolean => DEVICE.test(part) || (/[. ]$/.test(part) && !/^\.{1,2}$/.test(part))

/** Whether a path is unsafe on the platform that this program runs on. */
export const isUnsafeHere = (path: string): boolean => process.platform === 'win32' && isUnsafeOnWindows(path)
