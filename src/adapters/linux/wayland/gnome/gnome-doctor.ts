import { cpSync, existsSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { EnvironmentVariables } from '../../../../base/host.ts'
import { bad, type DoctorCheck, good, note } from '../../../capabilities.ts'
import { GET } from '../../accessibility/accessibility.ts'
import { type Bus, DAEMON, type ObjectRef } from '../../dbus.ts'
import { GNOME_EXTENSION, gnomeExtensionVersion, gnomeShellOn } from './gnome-shell.ts'
import { hasKnownKeys } from './gnome-text.ts'
import { type ConsentFile, consentFile } from './portal-session.ts'

/** The folder of the extension in the package. */
export const GNOME_EXTENSION_FOLDER = 'src/adapters/linux/wayland/gnome/extension'

const SHELL: ObjectRef = { bus: 'org.gnome.Shell', path: '/org/gnome/Shell' }
const EXTENSIONS = 'org.gnome.Shell.Extensions'
const SYSTEM_EXTENSIONS = '/usr/share/gnome-shell/extensions'
const ENABLE = `gnome-extensions enable ${GNOME_EXTENSION.uuid}`
const COPY = 'backlot doctor --fix copies it'

/** The states of an extension, as GNOME Shell numbers them. */
const [ACTIVE, , FAILED, OUTDATED] = [1, 2, 3, 4]

/** What GNOME Shell says of the extension of Backlot, and what is in the folders of extensions. */
export interface ExtensionState {
  /** The version of the interface that answers. */
  readonly version: number | undefined
  /** The state that GNOME Shell gives it. Undefined when it has not loaded it. */
  readonly state: number | undefined
  /** The error that it ended with. */
  readonly error?: string | undefined
  readonly isInstalled: boolean
  /** Whether extensions may run at all. */
  readonly areAllowed: boolean
}

/** The folder of the extension in the home folder of the user whose session `env` is. */
const extensionFolder = ({ XDG_DATA_HOME: data, HOME: home }: EnvironmentVariables): string =>
  join(data || join(home ?? '/', '.local', 'share'), 'gnome-shell', 'extensions', GNOME_EXTENSION.uuid)

/** Checks what the backend of GNOME needs on a session bus. */
export async function checkGnome(env: EnvironmentVariables, bus: Bus): Promise<readonly DoctorCheck[]> {
  const version = await gnomeExtensionVersion(bus)
  const info = await bus.tryCall<Readonly<Record<string, unknown>>>(
    SHELL,
    { interface: EXTENSIONS, member: 'GetExtensionInfo', signature: 's' },
    GNOME_EXTENSION.uuid,
  )
  const allowed = await bus.tryCall<boolean>(SHELL, GET, EXTENSIONS, 'UserExtensionsEnabled')
  const folders = [extensionFolder(env), join(SYSTEM_EXTENSIONS, GNOME_EXTENSION.uuid)]
  const extension = checkExtension({
    version,
    state: typeof info?.state === 'number' ? info.state : undefined,
    error: typeof info?.error === 'string' ? info.error : undefined,
    isInstalled: folders.some((folder) => existsSync(join(folder, 'metadata.json'))),
    areAllowed: allowed !== false,
  })
  return [
    extension,
    ...(extension.verdict === 'good' ? [checkLayout(await gnomeShellOn(bus).describe())] : []),
    checkConsent(consentFile(env), await hasPortal(bus)),
  ]
}

/** Whether the extension answers, else which step of its installation is missing. */
export function checkExtension({ version, state, error, isInstalled, areAllowed }: ExtensionState): DoctorCheck {
  const subject = 'extension of GNOME Shell'
  const own = GNOME_EXTENSION.version
  if (version === own) return good(subject, `${GNOME_EXTENSION.uuid}, version ${version}, answers`)
  if (version !== undefined)
    return bad(subject, `version ${version} answers, and this Backlot needs ${own}`, `${COPY} anew; then log in again`)
  if (!isInstalled) return bad(subject, 'not installed', `${COPY}; then log in again and run: ${ENABLE}`)
  if (state === undefined)
    return bad(subject, 'installed, but GNOME Shell has not loaded it', `log in again, and run: ${ENABLE}`)
  if (!areAllowed)
    return bad(
      subject,
      'extensions are switched off',
      'run: gsettings set org.gnome.shell disable-user-extensions false',
    )
  if (state === FAILED)
    return bad(subject, `it has failed: ${error || 'no reason given'}`, `${COPY} anew; then log in again`)
  if (state === OUTDATED)
    return bad(subject, 'it does not know this version of GNOME Shell', `update Backlot; ${COPY}, and log in again`)
  if (state === ACTIVE) return bad(subject, 'enabled, but it does not answer', 'unlock the screen, or log in again')
  return bad(subject, 'not enabled', `run: ${ENABLE}`)
}

/** Which characters the keyboard types. */
export function checkLayout({ layout }: Parameters<typeof hasKnownKeys>[0]): DoctorCheck {
  const subject = 'keyboard layout'
  if (hasKnownKeys({ layout }))
    return good(subject, `${layout!.id}: ASCII is typed by keys, other characters as by an input method`)
  return note(
    subject,
    `${layout?.id ?? 'none'}: its keys are not known, so all characters are entered as by an input method`,
    "programs without input methods, such as those of Xwayland, need a layout such as us: gsettings set org.gnome.desktop.input-sources sources \"[('xkb','us')]\"",
  )
}

/** What grants the use of pointer and keys. */
export function checkConsent(consent: Pick<ConsentFile, 'read'>, hasDesktopPortal: boolean): DoctorCheck {
  const subject = 'consent to pointer and keys'
  if (!hasDesktopPortal)
    return note(
      subject,
      'the desktop portal is not installed',
      'install xdg-desktop-portal-gnome, or use serve --gnome-input mutter, which asks nobody',
    )
  if (consent.read() !== undefined) return good(subject, 'given before; GNOME asks again when it was taken back')
  return note(
    subject,
    'not given yet: GNOME asks a person when the server starts, who shares all monitors and allows control, once',
    'be at the screen then, or use serve --gnome-input mutter, which asks nobody',
  )
}

async function hasPortal(bus: Bus): Promise<boolean> {
  const list = { interface: DAEMON.bus, member: 'ListActivatableNames' }
  const names = (await bus.tryCall<readonly string[]>(DAEMON, list)) ?? []
  return names.includes('org.freedesktop.impl.portal.desktop.gnome')
}

/** What a person is asked before the extension is copied. */
export const extensionQuestion = (env: EnvironmentVariables): readonly string[] => [
  `This copies the extension of GNOME Shell to ${extensionFolder(env)}.`,
  'While it is enabled, any program of your session can list windows, take pictures, read the clipboard and enter text.',
  'You enable it yourself, after the next login.',
]

/** Copies the extension from `folder` into the home folder of the user. Returns what was done and what a person does next, a line each. */
export function installGnomeExtension(env: EnvironmentVariables, folder: string): readonly string[] {
  const target = extensionFolder(env)
  mkdirSync(dirname(target), { recursive: true })
  cpSync(folder, target, { recursive: true })
  return [`copied the extension of GNOME Shell to ${target}`, `log in again, and then run: ${ENABLE}`]
}
