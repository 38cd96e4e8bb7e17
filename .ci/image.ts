// Builds the container image of docs/scaling/Dockerfile without an engine: Debian in a folder in the place of the base image, with the
// Node that runs this, and each instruction in a chroot. Then the program runs there as the image's user. It needs root, a registry
// and dist (`npm run build`). What an engine adds (layers, an entry point, other architectures) is not tried.
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installPackages } from '../test/support/linux/install-packages.ts'
import { missingPrograms } from '../test/support/linux/private-desktop.ts'
import { aptDownloadSettings, debianMirror } from '../test/support/mswindows/debian-mirror.ts'
import { runProgram } from '../test/support/mswindows/run-program.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const RELEASE = 'bookworm'
/** What node:20-slim has beside the essential packages. */
const PACKAGES = ['ca-certificates', 'libstdc++6', 'passwd']
const NOT_TRIED = 75

if (process.getuid?.() !== 0) {
  console.log('the image is not tried: a chroot needs root')
  process.exit(NOT_TRIED)
}
const folder = mkdtempSync(join(tmpdir(), 'backlot-image-'))
try {
  const image = await baseImage(join(folder, 'root'))
  await runProgram('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder], { cwd: ROOT })
  const { user, entry } = await build(image)
  const version = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).version
  const run = (...args: readonly string[]) => inside(image, '/', user, [...entry, ...args])
  expectEqual('--version', await run('--version'), `${version}\n`)
  if (!(await run('test', 'login')).includes('login')) throw new Error('`test login` says nothing of login')
  await run('worker', '--help')
  expectEqual('what stays of the package', readdirSync(join(image, 'packed')).join(), '')
  expectEqual(
    'the folder of the program',
    readdirSync(join(image, 'app')).sort().join(),
    'node_modules,package-lock.json,package.json',
  )
  console.log('the image is fine')
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** Debian with Node, as in the base image. Returns its folder. */
async function baseImage(root: string): Promise<string> {
  if (missingPrograms(['mmdebstrap']).length > 0) await installPackages(['mmdebstrap', 'debian-archive-keyring'])
  const settings = `${root}.apt.conf`
  writeFileSync(
    settings,
    `${await aptDownloadSettings()}APT::Install-Recommends "false";\nAPT::Sandbox::User "root";\n`,
  )
  const options = ['--variant=essential', `--include=${PACKAGES.join()}`, `--aptopt=${settings}`]
  await runProgram('mmdebstrap', [...options, '--dpkgopt=force-unsafe-io', RELEASE, root, await debianMirror(RELEASE)])
  const prefix = dirname(dirname(process.execPath))
  for (const part of ['bin/node', 'bin/npm', 'bin/npx', 'lib/node_modules/npm'])
    cpSync(join(prefix, part), join(root, 'usr/local', part), { recursive: true, verbatimSymlinks: true })
  await runProgram('chroot', [root, 'useradd', '--uid', '1000', '--create-home', 'node'])
  // The network of this machine.
  for (const file of ['/etc/resolv.conf', '/etc/hosts', '/etc/ssl/certs/ca-certificates.crt'])
    if (existsSync(file)) cpSync(file, join(root, file), { dereference: true })
  return root
}

/** Follows the instructions of the Dockerfile. Throws for one that it does not know. */
async function build(root: string): Promise<{ readonly user: string; readonly entry: readonly string[] }> {
  const lines = readFileSync(join(ROOT, 'docs/scaling/Dockerfile'), 'utf8')
    .replace(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
  let [user, place, entry] = ['root', '/', [] as readonly string[]]
  for (const line of lines) {
    const [, instruction, rest = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? []
    switch (instruction) {
      case 'FROM':
        expectEqual('the base image', rest, 'node:20-slim')
        break
      case 'WORKDIR':
        place = rest
        mkdirSync(join(root, place), { recursive: true })
        break
      case 'COPY': {
        const [from = '', to = ''] = rest.split(/\s+/)
        const pattern = from.split('*')
        mkdirSync(join(root, to), { recursive: true })
        const files = readdirSync(folder).filter(
          (name) => name.startsWith(pattern[0]!) && name.endsWith(pattern.at(-1)!),
        )
        if (files.length === 0) throw new Error(`COPY ${rest}: there is no such file`)
        for (const name of files) cpSync(join(folder, name), join(root, to, name))
        break
      }
      case 'RUN':
        await inside(root, place, user, ['sh', '-ec', rest])
        break
      case 'USER':
        user = rest
        break
      case 'ENTRYPOINT':
        entry = JSON.parse(rest)
        break
      case 'CMD':
        break
      default:
        throw new Error(`this line of the Dockerfile is not known here: ${line}`)
    }
  }
  return { user, entry }
}

/** Runs a program in the chroot as a user, with this machine's settings of npm. Returns what it prints. */
async function inside(root: string, place: string, user: string, command: readonly string[]): Promise<string> {
  const registry = (await runProgram('npm', ['config', 'get', 'registry'])).trim()
  const settings = [`npm_config_registry=${registry}`, 'NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt']
  const home = user === 'root' ? '/root' : `/home/${user}`
  const environment = ['PATH=/usr/local/bin:/usr/bin:/bin', `HOME=${home}`, ...settings]
  const own = ['env', '-i', `--chdir=${place}`, ...environment, ...command]
  return runProgram('chroot', [`--userspec=${user}:${user}`, root, ...own])
}

function expectEqual(what: string, found: string, wanted: string): void {
  if (found !== wanted) throw new Error(`${what}: ${JSON.stringify(found)} in the place of ${JSON.stringify(wanted)}`)
}
