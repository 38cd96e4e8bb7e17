import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildOnce, recipeName, removeOutdated, withLock } from '../mswindows/cache.ts'
import { aptDownloadSettings, debianMirror } from '../mswindows/debian-mirror.ts'
import { runProgram } from '../mswindows/run-program.ts'
import { missingPackages } from './install-packages.ts'
import { missingPrograms } from './private-desktop.ts'

/** Debian's development release has the current desktops, which the stable ones have a year later. */
const RELEASE = 'testing'

/** The packages of each desktop, of the programs that tests drive, and of what `fixtures/linux` needs. */
const PACKAGES = {
  kde: ['kwin-wayland', 'breeze'],
  // Mutter gives streams of monitors through PipeWire, and the portal asks for consent.
  gnome: [
    ...['gnome-shell', 'gnome-settings-daemon-common', 'dconf-gsettings-backend', 'libglib2.0-bin'],
    ...['pipewire', 'wireplumber', 'xdg-desktop-portal-gnome'],
  ],
  every: ['dbus-daemon', 'at-spi2-core', 'xwayland', 'qt6-wayland', 'fonts-dejavu-core', 'adwaita-icon-theme'],
  programs: ['gnome-calculator', 'gnome-text-editor', 'kcalc', 'kwrite', 'chromium'],
  fixtures: ['python3', 'python3-gi', 'gir1.2-gtk-3.0', 'gir1.2-gtk-4.0', 'python3-pyqt6'],
} as const satisfies Readonly<Record<string, readonly string[]>>

/** Files that no test reads. */
const LEFT_OUT = ['doc', 'man', 'info', 'locale', 'gtk-doc', 'help'].map((name) => `/usr/share/${name}/*`)

/** What the root contains. A change builds it again. */
const RECIPE = { release: RELEASE, packages: Object.values(PACKAGES).flat(), leftOut: LEFT_OUT }

/** Programs of this machine that the root is made and used with. */
const HOST_PROGRAMS = ['mmdebstrap', 'apt-get', 'setpriv', 'unshare', 'nsenter', 'chroot', 'flock']

/** Ten minutes are usual; busy machines and slow mirrors take longer. */
const MAX_BUILD_MS = 60 * 60_000

/** The folder outside of the repository that keeps the root. BACKLOT_DESKTOPS_CACHE overrides it. */
const cacheFolder = (env: NodeJS.ProcessEnv = process.env): string =>
  env.BACKLOT_DESKTOPS_CACHE ?? join(env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'backlot', 'desktops')

/** The folders of desktops that run. The name of each begins with the id of the process that uses it. */
const runsFolder = (): string => join(cacheFolder(), 'runs')

/** A root with Debian's development release, or why there is none here. */
export type DebianTesting = { readonly root: string } | { readonly reason: string }

/** Returns the root, which the first call on a machine builds. `log` receives what takes long. */
export async function debianTesting(log: (line: string) => void = () => {}): Promise<DebianTesting> {
  const reason = cannotBuild()
  if (reason !== undefined) return { reason }
  const cache = cacheFolder()
  return withLock(cache, async () => {
    removeAbandonedRuns()
    const folder = join(cache, recipeName('debian', RECIPE))
    if (!existsSync(folder)) log(`desktops: building Debian ${RELEASE} in ${folder}`)
    try {
      const root = await buildOnce(folder, buildRoot)
      removeOutdated(root)
      return { root }
    } catch (error) {
      return { reason: `Debian ${RELEASE} could not be installed: ${(error as Error).message}` }
    }
  })
}

function cannotBuild(): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'a root with Debian needs Linux and root'
  const missing = missingPrograms(HOST_PROGRAMS)
  if (missing.length > 0) return `a root with Debian needs these programs: ${missing.join(' ')}`
  return missingPackages(['debian-archive-keyring']).length > 0
    ? 'a root with Debian needs the package debian-archive-keyring'
    : undefined
}

async function buildRoot(folder: string): Promise<void> {
  const [mirror, settings] = await Promise.all([debianMirror(RELEASE), aptDownloadSettings()])
  const settingsFile = `${folder}.apt.conf`
  writeFileSync(settingsFile, `${settings}APT::Install-Recommends "false";\nAPT::Sandbox::User "root";\n`)
  const command = [
    'mmdebstrap',
    '--variant=essential',
    `--include=${RECIPE.packages.join(',')}`,
    `--aptopt=${settingsFile}`,
    '--dpkgopt=force-unsafe-io',
    ...LEFT_OUT.map((paths) => `--dpkgopt=path-exclude=${paths}`),
    RELEASE,
    folder,
    mirror,
  ]
  try {
    await runProgram('setpriv', [...ENDS_WITH_PARENT, 'unshare', '--mount', '--', ...command], {
      limitMs: MAX_BUILD_MS,
    })
  } finally {
    rmSync(settingsFile, { force: true })
  }
}

/** The versions of packages in a root, by name. */
export async function packageVersions(
  root: string,
  names: readonly string[],
): Promise<Readonly<Record<string, string>>> {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: dpkg fills it in.
  const format = '${Package} ${Version}\n'
  const listing = await runProgram('dpkg-query', [`--root=${root}`, '--show', '--showformat', format, ...names])
  return Object.fromEntries(
    listing
      .trim()
      .split('\n')
      .map((line) => line.split(' ') as [string, string]),
  )
}

const ENDS_WITH_PARENT = ['--pdeathsig', 'KILL', '--']

/** A mount namespace in which the root has the file systems that programs need. */
export interface Rooted {
  /** A folder that has the same path inside and outside of the root. */
  readonly folder: string
  /** Starts a program in the root, which ends with this process. */
  start(
    program: string,
    args: readonly string[],
    env: Readonly<Record<string, string>>,
    ...piped: readonly (0 | 1 | 2)[]
  ): ChildProcess & { readonly pid: number }
  /** Ends all programs that were started here, and what they have started. */
  close(): Promise<void>
}

const FIXTURES = fileURLToPath(new URL('../../../fixtures', import.meta.url))

/** Arguments: the root, the folder, the fixtures, and Node, which KWin looks for. Process ids stay those of this machine, by which a compositor knows its clients. */
const MOUNTS = `set -e
mount -t proc proc "$1/proc"
mount --rbind /dev "$1/dev"
mount -t tmpfs tmpfs "$1/tmp"
mkdir -p "$1$2" "$1$3"
(cd "$1/tmp" && mkdir -m 1777 .X11-unix)
mount --bind "$2" "$1$2"
mount --bind -o ro "$3" "$1$3"
mkdir -p "$(dirname "$1$4")"
touch "$1$4"
mount --bind -o ro "$4" "$1$4"
echo ready
exec cat`

let runs = 0

/** Opens the root for a desktop. */
export async function openRoot(root: string): Promise<Rooted> {
  const folder = join(runsFolder(), `${process.pid}-${++runs}`)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const holder = spawn(
    'setpriv',
    [
      ...ENDS_WITH_PARENT,
      'unshare',
      '--mount',
      '--propagation',
      'private',
      'sh',
      '-c',
      MOUNTS,
      'sh',
      root,
      folder,
      FIXTURES,
      process.execPath,
    ],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  ) as ChildProcess & { readonly pid: number }
  const [ended] = await Promise.race([
    once(holder.stdout!, 'data').then(() => [undefined]),
    once(holder, 'exit').then(([code]) => [code as number]),
  ])
  if (ended !== undefined) throw new Error(`a root with mounts of its own needs CAP_SYS_ADMIN (exit code ${ended})`)
  const children: ChildProcess[] = []
  return {
    folder,
    start(program, args, env, ...piped) {
      const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`)
      const inside = ['chroot', root, 'env', '-i', `--chdir=${folder}`, ...variables, program, ...args]
      const stdio = ([0, 1, 2] as const).map((fd) => (piped.includes(fd) ? 'pipe' : 'ignore'))
      const enter = ['nsenter', '--target', `${holder.pid}`, '--mount', '--', ...inside]
      const child = spawn('setpriv', [...ENDS_WITH_PARENT, ...enter], { stdio })
      child.on('error', () => {})
      children.push(child)
      return child as ChildProcess & { readonly pid: number }
    },
    async close() {
      for (const child of children.reverse()) child.kill('SIGKILL')
      endProgramsOf(folder)
      holder.stdin!.end()
      if (holder.exitCode === null) await once(holder, 'exit')
      rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
    },
  }
}

/** Ends the programs whose environment names a folder of a run, which are those that a bus has started for it. */
function endProgramsOf(folder: string): void {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
    try {
      const variables = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')
      if (variables.includes(`XDG_RUNTIME_DIR=${folder}`)) process.kill(Number(pid), 'SIGKILL')
    } catch {
      // It has ended meanwhile.
    }
}

/** Ends what runs have left whose process was killed, and deletes their folders. */
function removeAbandonedRuns(): void {
  const folder = runsFolder()
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    if (existsSync(`/proc/${name.split('-')[0]}`)) continue
    endProgramsOf(join(folder, name))
    rmSync(join(folder, name), { recursive: true, force: true })
  }
}
