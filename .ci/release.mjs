// What a release needs beside its packages.
//   check [--tag vX]  one number everywhere, and workflows, forms, citation and image that their own checkers accept
//   sbom FILE         what the npm package is made of, as CycloneDX; it needs dist (`npm run build`)
//   version X         writes the number everywhere
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { environmentOf, run } from './python-environment.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const read = (file) => readFileSync(join(ROOT, file), 'utf8')
const { version, dependencies } = JSON.parse(read('package.json'))

/** The files with the number of the version, and where it stands in them. The wheel takes it from package.json. */
const NUMBERS = {
  'package.json': /(?<="version": ")[^"]+/,
  'package-lock.json': /(?<="version": ")[^"]+/,
  'CITATION.cff': /(?<=^version: ).+$/m,
  'CHANGELOG.md': /(?<=^## )\S+/m,
}

const SCHEMAS = {
  '.github/workflows': 'vendor.github-workflows',
  '.github/ISSUE_TEMPLATE': 'vendor.github-issue-forms',
  '.github/ISSUE_TEMPLATE/config.yml': 'vendor.github-issue-config',
  'CITATION.cff': 'vendor.citation-file-format',
}

const COMMANDS = { check, sbom, version: setVersion }

const [name = 'check', ...words] = process.argv.slice(2)
const command = COMMANDS[name]
if (!command) {
  console.error(`usage: node .ci/release.mjs check [--tag vX] | sbom FILE | version X\n\nunknown: ${name}`)
  process.exit(2)
}
try {
  command(...words)
} catch ({ message }) {
  console.error(message)
  process.exitCode = 1
}

function check(flag, tag) {
  const wrong = Object.entries(NUMBERS)
    .map(([file, place]) => ({ file, found: place.exec(read(file))?.[0] }))
    .filter(({ found }) => found !== version)
  if (flag === '--tag' && tag !== `v${version}`) wrong.push({ file: 'the tag', found: tag })
  if (wrong.length > 0)
    throw new Error(wrong.map(({ file, found }) => `${file} has ${found}, and package.json ${version}`).join('\n'))

  const python = environmentOf([join(ROOT, '.ci/release-requirements.txt')])
  const accept = (program, ...args) => run(join(dirname(python), program), args, { cwd: ROOT })
  for (const [path, schema] of Object.entries(SCHEMAS))
    accept('python', '-m', 'check_jsonschema', '--quiet', '--builtin-schema', schema, ...filesOf(path))
  accept('zizmor', '--offline', '--quiet', '.github')
  // The user of the image has a name, which every image that has it resolves.
  accept('hadolint', '--ignore', 'DL3066', 'docs/scaling/Dockerfile')
  console.log(`the release ${version} is fine`)
}

function filesOf(path) {
  if (/\.\w+$/.test(path)) return [path]
  const files = readdirSync(join(ROOT, path)).map((file) => `${path}/${file}`)
  return files.filter((file) => !(file in SCHEMAS))
}

/** npm lists what is installed; of it the package has its dependencies, with theirs, and what is inside of the bundle. */
function sbom(file) {
  if (file === undefined) throw new Error('name the file, such as `node .ci/release.mjs sbom backlot.cdx.json`')
  const list = (...args) =>
    JSON.parse(
      execFileSync('npm', ['sbom', '--sbom-format', 'cyclonedx', ...args], {
        cwd: ROOT,
        encoding: 'utf8',
        maxBuffer: 1e8,
        stdio: ['ignore', 'pipe', 'ignore'],
      }),
    )
  const inside = new Set(
    [...read('dist/bundle/THIRD-PARTY.txt').matchAll(/^(\S+ \d\S*) \(.*\)$/gm)].map(([, heading]) =>
      heading.replace(' ', '@'),
    ),
  )
  const needed = new Set(list('--omit', 'dev', '--omit', 'peer').components.map(({ purl }) => purl))
  const whole = list()
  const components = whole.components.filter(
    (each) => needed.has(each.purl) || inside.has(`${each.name}@${each.version}`),
  )
  const missing = [...inside].filter((key) => !components.some((each) => key === `${each.name}@${each.version}`))
  if (missing.length > 0) throw new Error(`not in the list of npm: ${missing.join(', ')}`)
  const refs = new Set(components.map((each) => each['bom-ref']))
  const own = whole.metadata.component['bom-ref']
  const metadata = { ...whole.metadata, component: { ...whole.metadata.component, name: 'backlot' } }
  const edges = whole.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((each) => refs.has(each)) }))
  writeFileSync(
    file,
    `${JSON.stringify({ ...whole, metadata, components, dependencies: [{ ref: own, dependsOn: [...refs] }, ...edges] }, null, 2)}\n`,
  )
  console.log(`${file}: ${components.length} packages, ${Object.keys(dependencies).length} of them installed beside`)
}

function setVersion(number) {
  if (!/^\d+\.\d+\.\d+(-rc\.\d+)?$/.test(number ?? ''))
    throw new Error(`the version ${number} is not a number such as 1.0.0 or 1.0.0-rc.1`)
  run('npm', ['version', number, '--no-git-tag-version', '--allow-same-version'], { cwd: ROOT, stdio: 'ignore' })
  for (const [file, place] of Object.entries(NUMBERS))
    if (!file.endsWith('.json')) writeFileSync(join(ROOT, file), read(file).replace(place, number))
  console.log(`${version} is ${number} now`)
}
