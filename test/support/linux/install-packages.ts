import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { missingPrograms } from './private-desktop.ts'

/** The Debian packages of what tests on real desktops run and read. */
const DESKTOP_PACKAGES: readonly string[] = [
  // Desktops.
  ...['xvfb', 'dbus-daemon', 'at-spi2-core', 'openbox', 'xfwm4', 'twm', 'xdotool', 'x11-xserver-utils'],
  ...['sway', 'xwayland', 'qt6-wayland', 'fonts-dejavu-core', 'adwaita-icon-theme'],
  // Programs.
  ...['chromium', 'chromium-headless-shell', 'firefox-esr'],
  ...['libreoffice-writer', 'libreoffice-calc', 'libreoffice-gtk3'],
  ...['gnome-calculator', 'gnome-text-editor', 'gtk-3-examples', 'kcalc', 'mousepad', 'thunar', 'xfce4-terminal'],
  // The programs in `fixtures/linux`, and the client that reads the same trees.
  ...['python3', 'python3-gi', 'python3-pyqt6', 'python3-pyqt5', 'python3-tk', 'gir1.2-gtk-3.0', 'gir1.2-atspi-2.0'],
  // The stand-in for the libraries of macOS is compiled.
  ...['gcc', 'libc6-dev'],
]

/** Vitest calls this before the tests on real desktops. */
export const setup = (): Promise<void> => installPackages(DESKTOP_PACKAGES)

/** How long another program, such as one that updates the machine, may keep apt busy. */
const MAX_LOCKED_S = 300

/** Installs the Debian packages that are missing. Throws with their names and the command when that is not possible here. */
export async function installPackages(names: readonly string[]): Promise<void> {
  const missing = missingPackages(names)
  if (missing.length === 0) return
  const command = `apt-get install -y --no-install-recommends ${missing.join(' ')}`
  const isRoot = process.getuid?.() === 0
  if (!isRoot || missingPrograms(['apt-get']).length > 0)
    throw new Error(`these tests need Debian packages that are not installed; as root: ${command}`)
  await runAlone(`apt-get update; ${command} -o DPkg::Lock::Timeout=${MAX_LOCKED_S}`)
  const still = missingPackages(names)
  if (still.length > 0) throw new Error(`these Debian packages could not be installed: ${still.join(' ')}`)
}

/** The Debian packages that are not installed. Programs prove nothing: any part of LibreOffice brings `soffice`. */
export function missingPackages(names: readonly string[]): readonly string[] {
  const { stdout } = spawnSync('dpkg-query', ['--show', '--showformat', LISTED, ...names], { encoding: 'utf8' })
  return notInstalled(names, stdout ?? '')
}

// biome-ignore lint/suspicious/noTemplateCurlyInString: dpkg fills it in.
const LISTED = '${Package} ${db:Status-Status}\n'

/** The names that a listing of dpkg, a package and its status a line, does not show as installed. */
export function notInstalled(names: readonly string[], listing: string): readonly string[] {
  const lines = new Set(listing.split('\n'))
  return names.filter((name) => !lines.has(`${name} installed`))
}

/** Several suites may install packages at once, and apt works for one program at a time. */
async function runAlone(script: string): Promise<void> {
  const lock = join(tmpdir(), 'backlot-apt.lock')
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  await once(spawn('flock', [lock, 'sh', '-c', script], { stdio: 'inherit', env }), 'exit')
}
