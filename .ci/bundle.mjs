// Puts the sources, and the packages that every start reads, into a few files: reading many small ones takes most of a start.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))

/** All others have binaries or data beside them, or are seldom asked for. */
const INSIDE = [
  '@fastify/multipart',
  '@modelcontextprotocol/sdk',
  'commander',
  'fast-json-patch',
  'fastify',
  'json-schema-faker',
  'pixelmatch',
  'pngjs',
  'prom-client',
  'pure-rand',
  're2js',
  'ws',
  'yaml',
  'yoga-layout',
  'zod',
]

/** Fastify asks for them only where routes have schemas of its own (`OWN_SCHEMAS` in src/protocols/app.ts). */
const NEVER_READ = ['@fastify/ajv-compiler', '@fastify/fast-json-stringify-compiler']

/** Packages that stay where npm puts them. */
const outside = () =>
  Object.keys({ ...dependencies, ...peerDependencies })
    .filter((name) => !INSIDE.includes(name))
    .concat(NEVER_READ)

/** Writes the bundle into a folder. `whereIs` gives the address of a source: an expression that may name `HERE`. */
export async function bundle(folder, whereIs) {
  const common = {
    absWorkingDir: ROOT,
    outdir: folder,
    bundle: true,
    platform: 'node',
    target: 'node20',
    metafile: true,
    logLevel: 'warning',
    // THIRD-PARTY.txt has them.
    legalComments: 'none',
  }
  const own = {
    ...common,
    external: outside(),
    plugins: [
      { name: 'place', setup: (build) => build.onLoad({ filter: OWN }, (file) => placed(file.path, whereIs)) },
      { name: 'yoga', setup: (build) => build.onLoad({ filter: YOGA }, (file) => atOnce(file.path)) },
    ],
  }
  const library = await build({
    ...own,
    entryPoints: { index: 'src/index.ts', testing: 'src/testing.ts' },
    splitting: true,
    format: 'esm',
    banner: { js: LIBRARY_BEGINS },
  })
  // One script, since Node can keep the compiled code of scripts only.
  const program = await build({
    ...own,
    entryPoints: { program: 'src/cli/main.ts' },
    entryNames: '[name]-[hash]',
    format: 'cjs',
    // A script cannot import modules without a warning.
    supported: { 'dynamic-import': false },
    outExtension: { '.js': '.cjs' },
    banner: { js: SCRIPT_BEGINS },
    footer: { js: SCRIPT_ENDS },
  })
  const script = Object.keys(program.metafile.outputs)[0]
  writeFileSync(join(ROOT, script), inAscii(readFileSync(join(ROOT, script), 'utf8')))
  await build({
    ...common,
    entryPoints: { backlot: 'src/cli/launcher.ts' },
    format: 'esm',
    define: { SCRIPT: JSON.stringify(basename(script)) },
  })
  const inputs = [library, program].flatMap(({ metafile }) => Object.keys(metafile.inputs))
  writeFileSync(join(folder, 'THIRD-PARTY.txt'), licences(inputs))
}

/** CommonJS packages ask for modules of Node by the name `require`. */
const LIBRARY_BEGINS = `import { createRequire as requireOf } from 'node:module'
const HERE = import.meta.url, require = requireOf(HERE)`

/** What the launcher calls. */
const SCRIPT_BEGINS = '(function (require, module, exports, __filename, HERE) {'
const SCRIPT_ENDS = '})'

/** Regular expressions and comments are left as they are by the bundler; the launcher reads letters of one byte. */
const inAscii = (script) =>
  script.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

const OWN = /\/(src|conformance)\/[^:]*\.ts$/

/** A source that still finds the files beside it, though it has moved. */
function placed(path, whereIs) {
  const source = readFileSync(path, 'utf8')
  return { loader: 'ts', contents: source.replaceAll('import.meta.url', whereIs(relative(ROOT, path))) }
}

const YOGA = /yoga-layout\/dist\/src\/index\.js$/

/** Yoga without waiting for its binary to be compiled, which a script cannot do while it is read. */
function atOnce(path) {
  const glue = readFileSync(join(path, '../../binaries/yoga-wasm-base64-esm.js'), 'utf8')
  const [binary] = /(?<=base64,)[\w+/]+=*/.exec(glue)
  return {
    contents: `
${glue.replace(binary, '').replace('import.meta.url', "''").replace('export default loadYoga', '')}
import wrapAssembly from './wrapAssembly.js'
const yoga = {
  instantiateWasm(imports, ready) {
    const binary = new WebAssembly.Module(Buffer.from('${binary}', 'base64'))
    const instance = new WebAssembly.Instance(binary, imports)
    ready(instance)
    return instance.exports
  },
}
loadYoga(yoga)
export default wrapAssembly(yoga)
export * from './generated/YGEnums.js'`,
    resolveDir: dirname(path),
  }
}

/** The licences of the packages that files came from. */
function licences(files) {
  const packages = new Set(files.flatMap((file) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? []))
  return [...packages].sort().map(licence).join('\n')
}

function licence(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'))
  const file = readdirSync(join(ROOT, folder)).find((each) => /^licen[cs]e/i.test(each))
  const text = file ? readFileSync(join(ROOT, folder, file), 'utf8').trim() : ''
  return `${name} ${version} (${license})\n\n${text}\n`
}
