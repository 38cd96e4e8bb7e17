import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { EnvironmentVariables } from '../../../../base/host.ts'
import { bad, type DoctorCheck, good } from '../../../capabilities.ts'

/** The interfaces that KWin gives only to programs whose .desktop file names them. */
export const RESTRICTED = { wayland: 'org_kde_kwin_fake_input', bus: 'org.kde.KWin.ScreenShot2' } as const

const KEYS = { wayland: 'X-KDE-Wayland-Interfaces', bus: 'X-KDE-DBUS-Restricted-Interfaces' } as const

/** The command that explains the file and writes it when a person agrees. */
export const PERMIT = 'run: backlot doctor --fix'

/** A .desktop file that names a restricted interface. */
export interface PermissionFile {
  readonly path: string
  /** The program that it permits. */
  readonly program: string
  readonly hasInput: boolean
  readonly hasPictures: boolean
}

/** The file that permits the interfaces to the Node of `program`. */
export const permissionText = (program: string): string => `[Desktop Entry]
Type=Application
Name=Backlot
Comment=Permits programs of this Node to use pointer and keys and to take screenshots
Exec=${program}
NoDisplay=true
${KEYS.wayland}=${RESTRICTED.wayland}
${KEYS.bus}=${RESTRICTED.bus}
`

/** Where Backlot writes that file. Undefined without a home folder. */
export function permissionPath(env: EnvironmentVariables): string | undefined {
  const data = env.XDG_DATA_HOME || (env.HOME ? join(env.HOME, '.local', 'share') : undefined)
  return data === undefined ? undefined : join(data, 'applications', 'backlot.desktop')
}

/** Reads what a .desktop file permits. Undefined when it permits none of the interfaces. */
export function parsePermission(path: string, text: string): PermissionFile | undefined {
  const [, entry = ''] = text.split(/^\[Desktop Entry\]\s*$/m)
  const own = entry.split(/^\[/m)[0]!
  const value = (key: string) => new RegExp(`^${key}\\s*=\\s*(.*?)\\s*$`, 'm').exec(own)?.[1] ?? ''
  const names = (key: string) => value(key).split(/[,;]\s*/)
  const hasInput = names(KEYS.wayland).includes(RESTRICTED.wayland)
  const hasPictures = names(KEYS.bus).includes(RESTRICTED.bus)
  return hasInput || hasPictures ? { path, program: value('Exec'), hasInput, hasPictures } : undefined
}

/** The files of a user that permit the interfaces to some program. */
export function permissionFiles(env: EnvironmentVariables): readonly PermissionFile[] {
  const path = permissionPath(env)
  if (path === undefined) return []
  const folder = dirname(path)
  try {
    const names = readdirSync(folder).filter((name) => name.endsWith('.desktop'))
    return names.flatMap((name) => parsePermission(join(folder, name), readFileSync(join(folder, name), 'utf8')) ?? [])
  } catch {
    return []
  }
}

/**
 * Whether KWin permits pointer and keys to `program`, and what is wrong if it does not. `isGranted`: KWin offers their interface to this
 * program.
 */
export function checkPermission(
  files: readonly PermissionFile[],
  program: string,
  { isGranted, own }: { readonly isGranted: boolean; readonly own: string | undefined },
): DoctorCheck {
  const subject = 'permission of KWin'
  const file = files.find((each) => each.program === program && each.hasInput)
  if (isGranted) return good(subject, file ? `${file.path} permits ${program}` : 'KWin permits it to every program')
  if (file)
    return bad(
      subject,
      `${file.path} permits ${program}, and KWin has not read it`,
      'wait a second and run this again, else log in again',
    )
  const other = files.find((each) => each.path === own)
  if (other)
    return bad(
      subject,
      `${other.path} permits ${other.program}, and this Node is ${program}`,
      `${PERMIT}, to write it again`,
    )
  return bad(subject, `no .desktop file permits ${program} to use pointer and keys and to take screenshots`, PERMIT)
}

/** What a person is asked before the file is written. */
export const permissionQuestion = (path: string, program: string): readonly string[] => [
  `KWin lets programs use pointer and keys and take screenshots only when a .desktop file names them. Backlot would write`,
  path,
  '',
  ...permissionText(program)
    .trimEnd()
    .split('\n')
    .map((line) => `  ${line}`),
  '',
  `This permits it to every program that ${basename(program)} at ${program} runs, until you delete the file.`,
]

/** Writes the file that permits the interfaces to `program`. */
export function writePermission(path: string, program: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, permissionText(program))
}
