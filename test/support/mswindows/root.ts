import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { aptDownloadSettings, debianMirror } from './debian-mirror.ts'
import { contained, OWN_FOLDER, openNamespace } from './namespace.ts'
import { runProgram } from './run-program.ts'

const RELEASE = 'trixie'

/** Files that no test reads: documentation, translations, and libraries of games and of old compilers. */
const LEFT_OUT = [
  ...['doc', 'man', 'info', 'locale', 'gtk-doc', 'icons'].map((name) => `/usr/share/${name}/*`),
  ...['d3dx*', 'd3dcompiler*', 'x3daudio*', 'xactengine*', 'xaudio2*', 'mshtml.dll', 'msvc[pr][1789][0-2]*.dll'].map(
    (name) => `/usr/lib/*/wine/x86_64-windows/${name}`,
  ),
]

/** What the chroot contains. A change builds it again. */
export const ROOT_RECIPE = {
  release: RELEASE,
  // Wine draws the buttons of title bars with its own fonts.
  packages: ['wine', 'wine64', 'fonts-wine'],
  leftOut: LEFT_OUT,
  folder: OWN_FOLDER,
}

/** Two minutes are usual; busy machines and slow mirrors take longer. */
const MAX_BUILD_MS = 30 * 60_000

/** Fills a folder with Debian and Wine. */
export async function buildRoot(folder: string): Promise<void> {
  const [mirror, settings] = await Promise.all([debianMirror(RELEASE), aptDownloadSettings()])
  const settingsFile = `${folder}.apt.conf`
  writeFileSync(settingsFile, `${settings}APT::Install-Recommends "false";\nAPT::Sandbox::User "root";\n`)
  const excluded = LEFT_OUT.map((paths) => `--dpkgopt=path-exclude=${paths}`)
  const command = [
    'mmdebstrap',
    '--variant=essential',
    `--include=${ROOT_RECIPE.packages.join(',')}`,
    `--aptopt=${settingsFile}`,
    '--dpkgopt=force-unsafe-io',
    ...excluded,
    RELEASE,
    folder,
    mirror,
  ]
  await runProgram('setpriv', contained(...command), { limitMs: MAX_BUILD_MS })
  mkdirSync(join(folder, OWN_FOLDER), { recursive: true })
}

/** Node refuses to run on older versions of Windows. The crash dialog would wait for a person. */
const SETTINGS = `REGEDIT4

[HKEY_CURRENT_USER\\Software\\Wine]
"Version"="win10"

[HKEY_CURRENT_USER\\Software\\Wine\\WineDbg]
"ShowCrashDialog"=dword:00000000
`

export const PREFIX_RECIPE = { settings: SETTINGS, root: ROOT_RECIPE }

/** Variables of every program under Wine. The components that are left out would open a dialog that offers a download. */
export const WINE_VARIABLES = {
  PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin',
  HOME: OWN_FOLDER,
  LANG: 'C.UTF-8',
  WINEDEBUG: '-all',
  WINEDLLOVERRIDES: 'mscoree,mshtml=',
} as const

/** Fills a folder with a drive and a registry of Windows in `prefix`. */
export async function buildPrefix(root: string, folder: string): Promise<void> {
  const namespace = await openNamespace(root, folder)
  const env = { ...WINE_VARIABLES, WINEPREFIX: `${OWN_FOLDER}/prefix` }
  const run = (program: string, ...args: readonly string[]) =>
    new Promise<void>((resolve, reject) => {
      const child = spawn('nsenter', namespace.command(env, OWN_FOLDER, program, ...args), { stdio: 'ignore' })
      child.on('error', reject)
      child.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`${program} ${args}: exit code ${code}`))))
    })
  try {
    writeFileSync(join(folder, 'settings.reg'), SETTINGS)
    await run('wine', 'wineboot', '--init')
    await run('wine', 'regedit', '/S', `Z:${OWN_FOLDER.replaceAll('/', '\\')}\\settings.reg`)
    // The registry is written when the last program has ended.
    await run('wineserver', '--wait')
  } finally {
    await namespace.close()
  }
}
