// Checks the package as users get it: packed, installed into an empty folder with nothing else, then imported, required,
// type-checked and run. Needs a registry. Prints its sizes. With --nodes it is also used with later versions of Node, on Linux.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'

// The web application of three entrances and the writer of datasets took it beyond 6, the fonts (0.56) beyond 7, the pages
// that the documentation links to and types for CommonJS beyond 8, the whole reference (0.5) beyond 9, the applications (0.5) and
// the task pack (0.2) beyond 11.
const MAX_UNPACKED_MB = 12
const MAX_INSTALLED_MB = 80
/** The versions of Node that are supported beside the one that runs this. */
const NODES = [22, 24, 26]
const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** What the package has: each file is one of these, and each of these is there. */
const CONTENTS = [
  /^(LICENSE|package\.json|(README|CHANGELOG|CONTRIBUTING)\.md)$/,
  /^dist\/bundle\/(backlot|desk|index|testing)\.js$/,
  /^dist\/bundle\/(index|testing|import|program-[A-Z0-9]+)\.cjs$/,
  /^dist\/bundle\/THIRD-PARTY\.txt$/,
  /^dist\/types\/(index|testing|shared)\.d\.c?ts$/,
  /^dist\/conformance\/pictures\/[\w-]+\.png$/,
  /^dist\/conformance\/(profiles|scenarios)\/[\w/-]+\.(json|txt|yaml)$/,
  /^dist\/fonts\/[\w-]+\.(woff2|LICENSE)$/,
  /^dist\/src\/viewer\/built\/viewer\.(js|css)$/,
  /^docs\/[\w-]+\.md$/,
  /^docs\/llms\.txt$/,
  /^docs\/(reference|requirements)\/[\w.-]+\.(json|md)$/,
  /^docs\/examples\/[\w/.-]+\.(mjs|py|md|yml)$/,
  /^docs\/scaling\/(Dockerfile|(compose|kubernetes)\.yaml)$/,
  /^fixtures\/(linux\/gtk-desk\.py|windows\/desk\.c)$/,
  /^scenarios\/[\w/.-]+\.(yaml|svg|md)$/,
  /^scenarios\/bench\/bench-1\.json$/,
  /^skills\/[\w/-]+\.md$/,
  /^src\/adapters\/linux\/wayland\/gnome\/extension\/(extension\.js|metadata\.json)$/,
  /^src\/(protocols\/osworld\/python|protocols\/windieos|reference-agent)\/README\.md$/,
]

const IMPORTED = `import { createTestbed } from 'backlot'
import { openDesktop } from 'backlot/testing'
import { createRequire } from 'node:module'
await using_()
async function using_() {
  const testbed = await createTestbed({ scenario: createRequire(import.meta.url).resolve('backlot/scenarios/login.yaml') })
  const { url } = await testbed.serveRest({ port: 0 })
  const { windows } = await (await fetch(url + '/api/windows')).json()
  const picture = await openDesktop({ scenario: 'login' }).screenshot()
  await testbed.close()
  console.log(windows.length, picture.subarray(1, 4).toString())
}
`
const REQUIRED = `const { Fault } = require('backlot')
const { openDesktop } = require('backlot/testing')
const { version } = require('backlot/package.json')
openDesktop({ scenario: 'login' }).locator('Button "Nowhere"').click().catch((error) => console.log(error instanceof Fault, version))
`
const TYPED = `import { createTestbed, Fault, type Scenario, TOOLS } from 'backlot'
import { createRestApp, matchers, openDesktop } from 'backlot/testing'

export async function check(scenario: Scenario): Promise<string> {
  const desktop = openDesktop({ scenario: 'login', seed: 7 })
  await desktop.locator('Edit "Username"').type('alice')
  const testbed = await createTestbed({ config: { budget: { max_actions: 3 } } })
  await matchers.toBeSolved(desktop)
  await matchers.toBeSolved(testbed)
  const reply = await (await createRestApp(desktop)).inject('/api/windows')
  const { windows } = reply.json<{ windows: unknown[] }>()
  // @ts-expect-error: a name that no tool has
  const wrong: number = TOOLS[0]?.name
  if (wrong > windows.length) throw new Fault("Internal", scenario.name)
  return scenario.name
}
`
const STRICT = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noEmit: true,
  skipLibCheck: false,
  target: 'es2023',
  lib: ['es2023', 'esnext.disposable'],
  types: ['node'],
  typeRoots: [join(ROOT, 'node_modules/@types')],
}

const COMPILER = 'node_modules/typescript/bin/tsc'
/** How compilers find types. The last one is that of programs in CommonJS before there were modules. */
const RESOLUTIONS = [
  { module: 'nodenext', moduleResolution: 'nodenext' },
  { module: 'node16', moduleResolution: 'node16' },
  { module: 'esnext', moduleResolution: 'bundler' },
  {
    module: 'commonjs',
    moduleResolution: 'node10',
    ignoreDeprecations: '6.0',
    compiler: 'node_modules/@typescript/typescript6/bin/tsc',
  },
]

const folder = mkdtempSync(join(tmpdir(), 'backlot-package-'))
try {
  const [packed] = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--silent', '--pack-destination', folder], {
      cwd: ROOT,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  )
  const paths = packed.files.map(({ path }) => path)
  assertContents(paths)
  assertNoDeadLinks(paths)
  atMost('MB unpacked', packed.unpackedSize / 1e6, MAX_UNPACKED_MB)
  write('package.json', '{}')
  const install = ['install', '--engine-strict', '--prefer-offline', '--no-audit', '--no-fund']
  quiet('npm install', 'npm', [...install, join(folder, packed.filename)], /^\s*added \d+ packages? in \d+m?s\s*$/)
  atMost('MB installed', sizeOf(join(folder, 'node_modules')) / 1e6, MAX_INSTALLED_MB)
  console.log(`packages: ${packagesIn(join(folder, 'node_modules'))}`)

  write('import.mjs', IMPORTED)
  write('require.cjs', REQUIRED)
  quiet('import', process.execPath, ['import.mjs'], /^\d+ PNG\n$/)
  quiet('require', process.execPath, ['require.cjs'], /^true \d+\.\d+\.\d+(-rc\.\d+)?\n$/)

  // The checkout's compilers and types of Node; nothing else of it.
  write('use.ts', TYPED)
  for (const { module, moduleResolution, compiler = COMPILER, ...more } of RESOLUTIONS) {
    for (const type of ['module', 'commonjs']) {
      write('package.json', JSON.stringify({ type }))
      const compilerOptions = { ...STRICT, module, moduleResolution, ...more }
      write('tsconfig.json', JSON.stringify({ compilerOptions, files: ['use.ts'] }))
      quiet(`types, ${moduleResolution}, ${type}`, process.execPath, [join(ROOT, compiler)], /^$/)
    }
  }
  quiet('program', 'npx', ['--no-install', 'backlot', 'test', 'login'], /login/)
  if (process.argv.includes('--nodes'))
    for (const version of NODES) {
      const node = nodeOf(version)
      quiet(`import, Node ${version}`, node, ['import.mjs'], /^\d+ PNG\n$/)
      quiet(`require, Node ${version}`, node, ['require.cjs'], /^true /)
      quiet(`program, Node ${version}`, node, ['node_modules/backlot/dist/bundle/backlot.js', 'test', 'login'], /login/)
    }
  console.log('the package is fine')
} finally {
  rmSync(folder, { recursive: true })
}

/** Runs a program that must succeed, write what is expected, and nothing to standard error. */
function quiet(what, program, args, expected) {
  const env = { ...process.env, NPM_CONFIG_USERCONFIG: join(folder, '.npmrc'), npm_config_update_notifier: 'false' }
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: folder, encoding: 'utf8', env })
  if (status !== 0 || stderr !== '' || !expected.test(stdout))
    throw new Error(`${what}: exit code ${status}\n${stdout}${stderr}`)
  console.log(`${what}: quiet`)
}

/** The program of a version of Node, from a package of npm that has it. */
function nodeOf(version) {
  const name = `node-linux-${process.arch}`
  const prefix = join(folder, `node-${version}`)
  execFileSync('npm', ['install', '--silent', '--no-save', '--prefix', prefix, `${name}@${version}`], { cwd: folder })
  return join(prefix, 'node_modules', name, 'bin/node')
}

/** Throws for files that are not meant for users, and for what is missing. */
function assertContents(paths) {
  const unknown = paths.filter((path) => !CONTENTS.some((pattern) => pattern.test(path)))
  if (unknown.length > 0) throw new Error(`the package has files that it should not:\n${unknown.join('\n')}`)
  const missing = CONTENTS.filter((pattern) => !paths.some((path) => pattern.test(path)))
  if (missing.length > 0) throw new Error(`the package has no file like ${missing.join(', ')}`)
  console.log(`contents: ${paths.length} files, as meant`)
}

/** Throws for links in the documentation to pages and data that are not packed. Pictures and decisions are left out knowingly. */
function assertNoDeadLinks(paths) {
  const packed = new Set(paths.flatMap((path) => [path, ...foldersOf(path)]))
  const dead = paths
    .filter((path) => /^(?:docs\/.*|README|CHANGELOG)\.md$/.test(path))
    .flatMap((page) => {
      const prose = readFileSync(join(ROOT, page), 'utf8')
        .replace(/^( *)```[\s\S]*?^\1```/gm, '')
        .replace(/`[^`\n]*`/g, '')
      return [...prose.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)]
        .map(([, target]) => target)
        .filter((target) => !/^[a-z]+:|\.(?:png|webp|svg)$|^docs\/decisions\//.test(target))
        .filter((target) => !packed.has(normalize(join(dirname(page), target)).replace(/\/$/, '')))
        .map((target) => `${page}: ${target}`)
    })
  if (dead.length > 0) throw new Error(`links in the package lead nowhere:\n${dead.join('\n')}`)
  console.log('links: fine')
}

function foldersOf(path) {
  const folder = dirname(path)
  return folder === '.' ? [] : [folder, ...foldersOf(folder)]
}

function atMost(what, value, limit) {
  console.log(`${what}: ${value.toFixed(1)} of ${limit}`)
  if (value > limit) throw new Error(`more than ${limit} ${what}`)
}

function write(name, text) {
  writeFileSync(join(folder, name), text)
}

function sizeOf(path) {
  const stat = statSync(path)
  if (!stat.isDirectory()) return stat.size
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0)
}

function packagesIn(path) {
  return Object.keys(JSON.parse(readFileSync(join(path, '.package-lock.json'), 'utf8')).packages).length
}
