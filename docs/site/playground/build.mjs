// Builds the playground into a folder: the page, the worker with the core, fonts, and the files of the gallery.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { tsImport } from 'tsx/esm/api'
import { compress } from 'wawoff2'

const HERE = fileURLToPath(new URL('.', import.meta.url))
const ROOT = join(HERE, '../../..')

/** The modules of Node that stand in `node/`. Where a module is named by both names, it is one. */
const NODE = {
  crypto: 'crypto.ts',
  fs: 'files.ts',
  path: 'path.ts',
  util: 'others.ts',
  url: 'others.ts',
  zlib: 'others.ts',
  module: 'others.ts',
  'timers/promises': 'others.ts',
  pngjs: 'others.ts',
}

const OWN = /\/(src|conformance)\/[^:]*\.ts$/

/** The core as it is, but for its canvas, Node, and the addresses of its sources, which are those in the package. */
const inBrowser = {
  name: 'in browser',
  setup(bundler) {
    bundler.onResolve({ filter: /\/canvas\/skia\.ts$/ }, () => ({ path: join(HERE, 'skia.ts') }))
    bundler.onResolve({ filter: /\/stores\/disk\.ts$/ }, () => ({ path: join(HERE, 'node/disk.ts') }))
    bundler.onResolve({ filter: new RegExp(`^(node:)?(${Object.keys(NODE).join('|')})$`) }, ({ path }) => ({
      path: join(HERE, 'node', NODE[path.replace(/^node:/, '')]),
    }))
    bundler.onLoad({ filter: OWN }, ({ path }) => ({
      loader: 'ts',
      contents: readFileSync(path, 'utf8').replaceAll(
        'import.meta.url',
        JSON.stringify(`file:///backlot/${relative(ROOT, path)}`),
      ),
    }))
  },
}

/** Writes the playground. Returns the bytes of each file. */
export async function buildPlayground(folder) {
  mkdirSync(join(folder, 'fonts'), { recursive: true })
  await build({
    absWorkingDir: ROOT,
    entryPoints: { page: join(HERE, 'page.ts'), worker: join(HERE, 'worker.ts') },
    nodePaths: [join(HERE, '../node_modules')],
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    target: ['chrome120', 'firefox122', 'safari17.4'],
    minify: true,
    legalComments: 'linked',
    define: { PACKAGE_JSON: JSON.stringify(JSON.stringify({ version: versionOf() })) },
    inject: [join(HERE, 'node/globals.ts')],
    plugins: [inBrowser],
    logLevel: 'warning',
  })
  for (const name of ['index.html', 'style.css']) cpSync(join(HERE, name), join(folder, name))
  writeFileSync(join(folder, 'files.json'), JSON.stringify(packageFiles()))
  writeFileSync(join(folder, 'choices.json'), JSON.stringify(await choices()))
  writeFileSync(join(folder, 'fonts.json'), JSON.stringify(await writeFonts(join(folder, 'fonts'))))
  const names = readdirSync(folder, { recursive: true }).filter((name) => statSync(join(folder, name)).isFile())
  return Object.fromEntries(names.sort().map((name) => [name, statSync(join(folder, name)).size]))
}

/** The scenarios that can be opened, by heading, and the styles. */
async function choices() {
  const namesIn = (path) =>
    readdirSync(join(ROOT, 'scenarios', path))
      .filter((name) => name.endsWith('.yaml'))
      .map((name) => join(path, basename(name, '.yaml')))
      .sort()
  const applications = readdirSync(join(ROOT, 'scenarios/apps'))
  const tasks = applications.map((name) => `apps/${name}/tasks`)
  const { DESKTOP_STYLES } = await tsImport('../../../src/desktop/style/style.ts', import.meta.url)
  return {
    scenarios: {
      Gallery: namesIn(''),
      Applications: tasks.filter((path) => existsSync(join(ROOT, 'scenarios', path))).flatMap(namesIn),
    },
    styles: DESKTOP_STYLES,
  }
}

const versionOf = () => JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).version

/** The texts that the core reads from its package: the gallery with its applications and drawings. */
function packageFiles() {
  const files = readdirSync(join(ROOT, 'scenarios'), { recursive: true })
    .filter((name) => /\.(yaml|svg)$/.test(name))
    .map((name) => `scenarios/${name}`)
  return Object.fromEntries(files.map((name) => [name, readFileSync(join(ROOT, name), 'utf8')]))
}

/** Writes the fonts of `faces.ts` as WOFF2. Returns their addresses, weights and tables of characters, by their specifiers. */
async function writeFonts(folder) {
  const { FACES } = await tsImport('../../../src/paint/canvas/faces.ts', import.meta.url)
  const specifiers = [...new Set(Object.values(FACES).flatMap((faces) => faces.flatMap(({ files }) => files)))]
  const fonts = {}
  for (const specifier of specifiers) {
    const source = join(ROOT, 'node_modules', specifier)
    if (!existsSync(source)) throw new Error(`${specifier} is not installed; run npm ci`)
    const bytes = readFileSync(source)
    const isTtf = specifier.endsWith('.ttf')
    const name = basename(specifier).replace(/\.\w+$/, '.woff2')
    writeFileSync(join(folder, name), isTtf ? await compress(bytes) : bytes)
    fonts[specifier] = {
      url: `fonts/${name}`,
      weight: /variable/.test(dirname(specifier)) ? '100 900' : (/(\d{3})/.exec(name)?.[1] ?? '400'),
      characters: (await charactersOf(bytes)).toString('base64'),
    }
  }
  return fonts
}

/** A TrueType file with the `cmap` table of another, and nothing else. */
async function charactersOf(bytes) {
  const { cmapOf } = await tsImport('../../../src/paint/text/fonts.ts', import.meta.url)
  const table = cmapOf(bytes)
  const header = Buffer.alloc(28)
  header.writeUInt32BE(0x00010000, 0)
  header.writeUInt16BE(1, 4)
  header.write('cmap', 12, 'latin1')
  header.writeUInt32BE(header.length, 20)
  header.writeUInt32BE(table.length, 24)
  return Buffer.concat([header, table])
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [folder] = process.argv.slice(2)
  console.log(await buildPlayground(folder))
}
