import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import {
  checkConsent,
  checkExtension,
  checkLayout,
  type ExtensionState,
  extensionQuestion,
  installGnomeExtension,
} from './gnome-doctor.ts'
import { GNOME_EXTENSION } from './gnome-shell.ts'

// Rules such as [GN17] are stated in README.md.

const FOLDER = fileURLToPath(new URL('./extension', import.meta.url))
const home = mkdtempSync(join(tmpdir(), 'backlot-gnome-doctor-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))

const STATE: ExtensionState = { version: undefined, state: 2, isInstalled: true, areAllowed: true }

it.each<[string, Partial<ExtensionState>, string, string | undefined]>([
  ['answers', { version: 1 }, 'good', undefined],
  ['another version', { version: 2 }, 'bad', 'backlot doctor --fix'],
  ['not installed', { isInstalled: false, state: undefined }, 'bad', 'backlot doctor --fix'],
  ['not loaded', { state: undefined }, 'bad', 'log in again'],
  ['switched off', { areAllowed: false }, 'bad', 'disable-user-extensions false'],
  ['failed', { state: 3, error: 'SyntaxError' }, 'bad', 'backlot doctor --fix'],
  ['outdated', { state: 4 }, 'bad', 'update Backlot'],
  ['locked', { state: 1 }, 'bad', 'unlock the screen'],
  ['not enabled', {}, 'bad', 'gnome-extensions enable desktop@backlot'],
])('[GN17] names the missing step: %s', (_, state, verdict, fix) => {
  const check = checkExtension({ ...STATE, ...state })
  expect(check.verdict).toBe(verdict)
  if (fix === undefined) expect(check.fix).toBeUndefined()
  else expect(check.fix).toContain(fix)
})

describe('[GN18] the copy of the extension', () => {
  it('has all its files, in the folder of the user, and tells what is left to do', () => {
    const env = { HOME: home }
    const question = extensionQuestion(env).join('\n')
    const steps = installGnomeExtension(env, FOLDER)
    const target = join(home, '.local/share/gnome-shell/extensions', GNOME_EXTENSION.uuid)
    expect(readdirSync(target).sort()).toEqual(['extension.js', 'metadata.json'])
    expect(steps.join('\n')).toContain(target)
    expect(question).toContain(target)
    expect(question).toContain('any program of your session')
    expect(steps.at(-1)).toBe('log in again, and then run: gnome-extensions enable desktop@backlot')
    const data = join(home, 'data')
    installGnomeExtension({ HOME: home, XDG_DATA_HOME: data }, FOLDER)
    expect(existsSync(join(data, 'gnome-shell/extensions', GNOME_EXTENSION.uuid, 'metadata.json'))).toBe(true)
  })
})

it('[GN19] tells whether consent was given, and which characters have keys', () => {
  const asked = (token: string | undefined, hasPortal = true) => checkConsent({ read: () => token }, hasPortal)
  expect([asked('t'), asked(undefined), asked('t', false)].map(({ verdict }) => verdict)).toEqual([
    'good',
    'note',
    'note',
  ])
  expect(asked(undefined).found).toContain('GNOME asks a person when the server starts')
  expect(asked('t', false).fix).toContain('xdg-desktop-portal-gnome')
  expect(checkLayout({ layout: { type: 'xkb', id: 'us' } }).verdict).toBe('good')
  expect(checkLayout({ layout: { type: 'ibus', id: 'anthy' } })).toMatchObject({
    verdict: 'note',
    found: expect.stringContaining('anthy'),
  })
})

describe('the extension', () => {
  const code = readFileSync(join(FOLDER, 'extension.js'), 'utf8')
  const metadata = JSON.parse(readFileSync(join(FOLDER, 'metadata.json'), 'utf8'))

  it('[GN16] has the name and version that Backlot calls', () => {
    expect([metadata.uuid, metadata['version-name']]).toEqual([GNOME_EXTENSION.uuid, String(GNOME_EXTENSION.version)])
    expect(code).toContain(`const NAME = '${GNOME_EXTENSION.bus}'`)
    expect(code).toContain(`const PATH = '${GNOME_EXTENSION.path}'`)
    expect(code).toContain(`return ${GNOME_EXTENSION.version}\n`)
  })

  it('[GN20] has the methods of its interface, which run no code that they are sent and write no file', () => {
    const methods = [...code.matchAll(/<method name="(\w+)"/g)].map(([, name]) => name!)
    for (const name of methods) expect(code).toMatch(new RegExp(`^  ${name}(Async)?\\(`, 'm'))
    expect(code).not.toMatch(/\beval\b|\bnew Function\b|Subprocess|spawn|Gio\.File|\bfetch\b|Soup/)
  })
})
