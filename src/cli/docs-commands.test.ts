import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { COMMANDS } from './commands/index.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const PAGES = [
  'README.md',
  ...readdirSync(join(ROOT, 'docs')).flatMap((name) => (name.endsWith('.md') ? [`docs/${name}`] : [])),
]

/** The lines of code blocks without a language, or of a shell, with the ends of continued lines. */
const shellLines = (page: string): readonly string[] =>
  [...readFileSync(join(ROOT, page), 'utf8').matchAll(/^```(?:sh|bash|console)?\n([\s\S]*?)^```/gm)].flatMap(
    ([, block = '']) => block.replaceAll('\\\n', ' ').split('\n'),
  )

it.each(PAGES)('%s has one form of command, which works in a checkout and where the package is installed', (page) => {
  for (const line of shellLines(page)) {
    expect(line).not.toMatch(/^(?:\w+=\S+ )*backlot |npm run (?:--silent )?backlot/)
    const [, name] = /^(?:\w+=\S+ )*npx backlot (\S+)/.exec(line) ?? []
    if (name !== undefined) expect(Object.keys(COMMANDS)).toContain(name)
  }
})

it('no page or help shows a token on a command line, which every process of a machine can read', () => {
  const pages = ['docs', 'skills'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  )
  const helps = readdirSync(join(ROOT, 'src/cli/commands')).map((name) => join('src/cli/commands', name))
  const files = [...PAGES, ...pages, ...helps].filter((name) => /\.(?:md|sh|ts|ya?ml|html)$/.test(name))
  const SHOWN = /--(?:[a-z]+-)?token[ =][^\s<].*|-H ['"]?(?:x-harness-token|authorization): .*/gi
  const shown = files.flatMap((file) => readFileSync(join(ROOT, file), 'utf8').match(SHOWN) ?? [])
  expect(shown).toEqual([])
})

it('every option for a secret has a variable', async () => {
  const commands = await Promise.all(Object.values(COMMANDS).map((load) => load()))
  const secrets = commands.flatMap((command) => command.options.filter(({ flags }) => /token <secret>/.test(flags)))
  expect(secrets.map(({ long, envVar }) => [long, envVar])).toEqual([
    ['--remote-token', 'BACKLOT_REMOTE_TOKEN'],
    ['--token', 'BACKLOT_TOKEN'],
    ['--harness-token', 'BACKLOT_HARNESS_TOKEN'],
    ['--remote-token', 'BACKLOT_REMOTE_TOKEN'],
    ['--token', 'BACKLOT_TOKEN'],
  ])
})

it('npm links the program in a checkout', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  expect(scripts.dependencies).toBe('node .ci/link.mjs')
  expect(existsSync(join(ROOT, '.ci/link.mjs'))).toBe(true)
  execFileSync(process.execPath, [join(ROOT, '.ci/link.mjs')])
  const windows = readFileSync(join(ROOT, 'node_modules/.bin/backlot.cmd'), 'utf8')
  expect(windows).toBe('@node "%~dp0backlot.mjs" %*\r\n')
  const linked = join(ROOT, 'node_modules/.bin/backlot.mjs')
  expect(execFileSync(process.execPath, [linked, '--version'], { encoding: 'utf8' })).toMatch(
    /^\d+\.\d+\.\d+(-rc\.\d+)?\n$/,
  )
}, 60_000)
