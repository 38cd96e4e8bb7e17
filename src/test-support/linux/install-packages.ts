import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { missingPrograms } from './private-desktop.ts'

/** The programs that tests on real desktops run, with the Debian package of each. */
const PROGRAM_PACKAGES: Readonly<Record<string, string>> = {
  // The stand-in for the libraries of macOS is compiled.
  cc: 'gcc libc6-dev',
  Xvfb: 'xvfb',
  'dbus-daemon': 'dbus-daemon',
  openbox: 'openbox',
  xfwm4: 'xfwm4',
  twm: 'twm',
  xdotool: 'xdotool',
  xrandr: 'x11-xserver-utils',
  'gnome-calculator': 'gnome-calculator',
  mousepad: 'mousepad',
  chromium: 'chromium',
  'firefox-esr': 'firefox-esr',
  soffice: 'libreoffice-writer',
  kcalc: 'kcalc',
  thunar: 'thunar',
  'xfce4-terminal': 'xfce4-terminal',
  'gnome-text-editor': 'gnome-text-editor',
  'gtk3-widget-factory': 'gtk-3-examples',
  'gtk4-widget-factory': 'gtk-4-examples',
}

/** Packages without a program, with a file of each. */
const FILES: Readonly<Record<string, string>> = {
  '/usr/libexec/at-spi-bus-launcher': 'at-spi2-core',
  '/usr/lib/python3/dist-packages/gi': 'python3-gi',
  '/usr/lib/python3/dist-packages/PyQt6': 'python3-pyqt6',
  '/usr/lib/libreoffice/program/libsclo.so': 'libreoffice-calc',
  '/usr/lib/libreoffice/program/libvclplug_gtk3lo.so': 'libreoffice-gtk3',
  '/usr/share/doc/python3-tk': 'python3-tk',
  '/usr/share/doc/gir1.2-atspi-2.0': 'gir1.2-atspi-2.0',
  '/usr/share/doc/gir1.2-gtk-3.0': 'gir1.2-gtk-3.0',
  '/usr/share/fonts/truetype/dejavu': 'fonts-dejavu-core',
  '/usr/share/icons/Adwaita': 'adwaita-icon-theme',
}

/** Installs the packages for tests on real desktops. Throws with the missing ones when that is not possible. */
export async function setup(): Promise<void> {
  const missing = missingPackages()
  if (missing.length === 0) return
  await installPackages(missing)
  const still = missingPackages()
  if (still.length > 0) throw new Error(`these packages could not be installed: ${still.join(' ')}`)
}

/** Installs Debian packages. Throws with the command when that is not possible here. */
export async function installPackages(names: readonly string[]): Promise<void> {
  const command = `apt-get install -y --no-install-recommends ${names.join(' ')}`
  const isRoot = process.getuid?.() === 0
  if (!isRoot || missingPrograms(['apt-get']).length > 0)
    throw new Error(`these tests need packages that are not installed; as root: ${command}`)
  await run('apt-get update')
  await run(command)
}

function missingPackages(): readonly string[] {
  const programs = missingPrograms(Object.keys(PROGRAM_PACKAGES)).map((program) => PROGRAM_PACKAGES[program]!)
  const files = Object.entries(FILES).filter(([file]) => !existsSync(file))
  return [...programs, ...files.map(([, name]) => name)]
}

async function run(command: string): Promise<void> {
  const [program, ...args] = command.split(' ')
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  await once(spawn(program!, args, { stdio: 'inherit', env }), 'exit')
}
