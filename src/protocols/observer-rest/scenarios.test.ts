import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestbed, type Testbed } from '../../compose/testbed.ts'

// Rules such as [OB178] and [REST21] are stated in observer/SPEC.md and in README.md beside this file.

const SECRETS: Readonly<Record<string, string>> = {
  '.env': 'AWS_SECRET=wJalrSECRET\nDB_PASSWORD=hunter2SECRET\n',
  '.netrc': 'machine github.com login bob password ghp_SECRETTOKEN\n',
  '.ssh/id_rsa': '-----BEGIN KEY-----\nMIIEowSECRETKEYDATA\n-----END KEY-----\n',
  'config.json': '{"vlm": {"api_key": "sk-SECRET"}}',
  'notes.txt': 'the SECRET word',
  '.hidden.yaml': 'SECRET: 1',
  '.config/app.yaml': 'SECRET: 1',
}
/** Files that may be read and cannot be used: of these nothing may be quoted either. */
const UNUSABLE: Readonly<Record<string, string>> = {
  'keys.yaml': 'SECRETKEY: {AKIASECRET: 1}\nstates: {SECRETSTATE: {windws: SECRETVALUE}}\n',
  'values.yml': 'name: SECRETNAME\nseed: SECRETVALUE\nstates: [SECRETSTATE]\n',
  'broken.yaml': 'password: "SECRET\n  SECRET2: [\n',
  'twice.yaml': 'SECRET: 1\nSECRET: 2\n',
  'alias.yaml': 'a: *SECRETALIAS\nb: !SECRETTAG x\n<<: SECRETMERGE\n',
  'names.yaml': `
states: {SECRETSTATE: {windows: [{uid: SECRETUID, tree: {role: Window, children: [{id: SECRETID}, {id: SECRETID}]}}]}}
initial_state: SECRETSTAT
reactions: [{on: {tool: click_element, target_id: SECRETI, text_regex: "(SECRET"}, when: [{id: SECRETID}]}]
oracles: {success: [{kind: element_exists, selector: 'Button[SECRET'}]}
`,
}
const SECRET = /SECRET|hunter2|AKIA|ghp_|Secret/i

const base = mkdtempSync(join(tmpdir(), 'backlot-scenarios-'))
const served = join(base, 'served')
const extra = join(base, 'extra')
let testbed: Testbed
let url: string

beforeAll(async () => {
  for (const folder of ['.ssh', '.config']) mkdirSync(join(served, folder), { recursive: true })
  mkdirSync(extra)
  const mine = (name: string) => `{name: ${name}, task: Press ${name}, states: {one: {windows: [{title: ${name}}]}}}`
  writeFileSync(join(served, 'mine.yaml'), mine('mine'))
  writeFileSync(join(extra, 'other.yaml'), mine('other'))
  writeFileSync(join(extra, 'unusable.yaml'), 'states: 5')
  for (const [name, text] of Object.entries({ ...SECRETS, ...UNUSABLE })) writeFileSync(join(served, name), text)
  symlinkSync(join(served, '.netrc'), join(served, 'link.yaml'))
  testbed = await createTestbed({
    scenario: join(served, 'mine.yaml'),
    config: { roots: [extra], sessions: { text_elements: 11 } },
  })
  url = (await testbed.serveRest({ port: 0 })).url
})
afterAll(async () => {
  await testbed.close()
  rmSync(base, { recursive: true })
})

async function ask(method: string, path: string, body?: unknown) {
  const headers = { 'content-type': 'application/json' }
  const reply = await fetch(url + path, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) })
  const text = await reply.text()
  // biome-ignore lint/suspicious/noExplicitAny: a response can be any JSON.
  return { status: reply.status, text, body: (text === '' ? {} : JSON.parse(text)) as any }
}

/** Every way to have a file read. */
const READERS: readonly (readonly [name: string, path: string, args: (file: string) => object])[] = [
  ['load_scenario', '/api/scenario/load', (path) => ({ path })],
  ['load_scenario by its other name', '/api/tool/load_scenario', (scenario) => ({ scenario })],
  ['POST /sessions', '/sessions', (scenario) => ({ scenario })],
  ['session_reset', '/api/session/reset', (scenario) => ({ scenario })],
  ['session_step', '/api/session/step', (path) => ({ action: { tool: 'load_scenario', args: { path } } })],
  ['replay_start', '/api/replay/start', (path) => ({ path })],
  [
    'screenshot_similar',
    '/api/assert_state',
    (reference_path) => ({ predicate: [{ kind: 'screenshot_similar', reference_path }] }),
  ],
]

describe('reading files', () => {
  it.each(READERS)('[OB178] %s does not quote any part of a file', async (_name, path, args) => {
    for (const file of [...Object.keys(SECRETS), ...Object.keys(UNUSABLE), 'link.yaml']) {
      for (const asked of [file, join(served, file)]) {
        const { status, text } = await ask('POST', path, args(asked))
        expect(status).toBeLessThan(500)
        expect([asked, text.replaceAll(asked, '')]).toEqual([asked, expect.not.stringMatching(SECRET)])
      }
    }
  })

  it('[OB178] a file that cannot be used is reported by line, column and kind', async () => {
    const { status, body } = await ask('POST', '/sessions', { scenario: 'values.yml' })
    expect(status).toBe(400)
    expect(body.error.context).toEqual({
      path: 'values.yml',
      issues: [
        { line: 2, column: 7, kind: 'type', message: 'this value has the wrong type' },
        { line: 3, column: 9, kind: 'type', message: 'this value has the wrong type' },
      ],
    })
    expect(body.error.message).toMatch(/^values\.yml:2:7: this value has the wrong type\n.*\n`backlot validate`/)
  })

  it('[OB175] [OB177] reports hidden files, files of another kind, links to them and missing files alike', async () => {
    for (const path of ['.env', '.hidden.yaml', '.config/app.yaml', 'config.json', 'link.yaml', 'none.yaml'])
      expect((await ask('POST', '/api/scenario/load', { path })).body.error).toMatchObject({
        code: 'ScenarioInvalid',
        message: `"${path}" names no file that ends in .yaml, .yml below the folders this server may read`,
      })
  })
})

describe('roots', () => {
  it.each([
    ['the start folder', 'scenarios/login.yaml'],
    ['the folder of the served scenario', join(served, 'mine.yaml')],
    ['the gallery', 'login'],
    ["the operator's own", join(extra, 'other.yaml')],
  ])('[OB176] include %s', async (_name, path) => {
    expect((await ask('POST', '/sessions', { path })).status).toBe(201)
  })

  it('[OB176] include the folder of traces', async () => {
    const { body } = await ask('POST', '/api/trace/start', {})
    await ask('POST', '/api/trace/stop', {})
    expect(await ask('POST', '/api/replay/start', { path: body.dir })).toMatchObject({
      status: 200,
      body: { total: 0 },
    })
  })
})

describe('naming a scenario', () => {
  it.each([
    ['login', 'login'],
    ['login.yaml', 'login'],
    ['mine', 'mine'],
    ['mine.yaml', 'mine'],
    [join(served, 'mine.yaml'), 'mine'],
    ['scenarios/form.yaml', 'form'],
    ['other', 'other'],
  ])('[OB179] %s is accepted as a scenario by every route', async (given, name) => {
    const opened = await ask('POST', '/sessions', { scenario: given })
    expect([opened.status, opened.body.scenario]).toEqual([201, name])
    expect((await ask('POST', '/sessions', { path: given })).body.scenario).toBe(name)
    const at = opened.body.base_url
    expect((await ask('POST', `${at}/api/scenario/load`, { path: given })).body.scenario).toBe(name)
    expect((await ask('POST', `${at}/api/tool/load_scenario`, { scenario: given })).body.scenario).toBe(name)
    expect((await ask('POST', `${at}/api/session/reset`, { scenario: given })).body.info.scenario).toBe(name)
    const library = await createTestbed({ scenario: given === 'other' ? join(extra, 'other') : `${given}` }).catch(
      () => undefined,
    )
    expect(library?.session.computer.simulation?.scenario ?? name).toBe(name)
    await library?.close()
  })

  const TEXT = 'name: sent\ntask: Do it\nstates: {one: {windows: [{title: Sent}]}}\n'

  it.each([
    ['yaml', TEXT],
    ['scenario', TEXT],
    ['path', '{name: sent, task: Do it, states: {one: {}}}'],
    ['yaml', 'states: {one: {}}'],
  ])('[OB180] %s accepts the text itself: %s', async (key, text) => {
    const name = text.includes('sent') ? 'sent' : 'scenario'
    const opened = await ask('POST', '/sessions', { [key]: text })
    expect([opened.status, opened.body.scenario]).toEqual([201, name])
    const at = opened.body.base_url
    expect((await ask('POST', `${at}/api/scenario/load`, { [key]: text })).body.scenario).toBe(name)
    expect((await ask('POST', `${at}/api/session/reset`, { [key]: text })).body.info.scenario).toBe(name)
  })

  it('[OB183] never takes yaml for a name, and quotes no long text', async () => {
    const named = await ask('POST', '/sessions', { yaml: 'login' })
    expect([named.status, named.body.error.code]).toEqual([400, 'ScenarioInvalid'])
    for (const key of ['yaml', 'scenario']) {
      const { status, body } = await ask('POST', '/sessions', { [key]: 'a'.repeat(500_000) })
      expect([status, body.error.code, JSON.stringify(body).length < 1000]).toEqual([400, 'ScenarioInvalid', true])
    }
    const sent = await ask('POST', '/sessions', { yaml: `${'k'.repeat(100_000)}: 1` })
    expect([sent.status, JSON.stringify(sent.body).length < 6000]).toEqual([400, true])
  })

  it('[OB180] lists all problems of a scenario text, without quoting its lines', async () => {
    const { status, body } = await ask('POST', '/sessions', { yaml: 'states:\n  a:\n    windws: []\n' })
    expect(status).toBe(400)
    expect(body.error).toMatchObject({
      code: 'ScenarioInvalid',
      message: expect.stringMatching(
        /^scenario:3:5: states\.a\.windws: unknown key "windws"; did you mean "windows"\?/,
      ),
      context: { issues: [{ line: 3, column: 5, kind: 'unknown-key' }] },
    })
    expect(body.error.message).not.toContain('\n')
  })

  it('[OB180] a text that is too long or makes too much is refused before it is checked', async () => {
    const group = `&g {role: Group, children: [${'{role: Text},'.repeat(300)}]}`
    const many = `states: {a: {windows: [{tree: {role: Window, children: [${group}${', *g'.repeat(99)}]}}]}}`
    for (const [yaml, message] of [
      [`# ${'x'.repeat(140_000)}\n`, 'the text has 140003 characters, and the limit is 131072'],
      [many, 'the file makes more than 20000 values'],
    ] as const)
      expect((await ask('POST', '/sessions', { yaml })).body.error).toMatchObject({
        code: 'ScenarioInvalid',
        message: expect.stringContaining(message),
      })
  })

  it('[OB180] texts that are sent have a limit together', async () => {
    const text = (number: number) =>
      `name: big ${number}\nstates: {a: {windows: [{tree: {role: Window, children: [{role: Text}, {role: Text}]}}]}}`
    const opened: string[] = []
    for (let number = 0; number < 3; number++) {
      const { body } = await ask('POST', '/sessions', { yaml: text(number) })
      opened.push(body.session_id)
    }
    expect((await ask('POST', '/sessions', { yaml: text(3) })).body.error).toMatchObject({
      code: 'Busy',
      message: expect.stringMatching(/would have 1\d elements, and the limit is 11/),
    })
    expect((await ask('POST', '/api/scenario/load', { yaml: text(3) })).status).toBe(503)
    expect((await ask('POST', '/sessions', { yaml: text(0) })).status).toBe(201)
    await ask('DELETE', `/sessions/${opened[1]}`)
    expect((await ask('POST', '/sessions', { yaml: text(3) })).status).toBe(201)
  })

  it('[OB179] two different scenarios in one call are refused', async () => {
    for (const [path, body] of [
      ['/sessions', { scenario: 'login', path: 'form' }],
      ['/api/scenario/load', { path: 'login', yaml: TEXT }],
      ['/api/session/reset', { scenario: 'login', yaml: TEXT }],
    ] as const)
      expect((await ask('POST', path, body)).body.error).toMatchObject({
        code: 'BadRequest',
        message: 'give one of scenario, path and yaml',
      })
  })
})

describe('the task', () => {
  it('[OB185] is in the responses to opening, resetting and loading', async () => {
    const { body } = await ask('POST', '/sessions', { scenario: 'mine' })
    expect(body.task).toBe('Press mine')
    const at = body.base_url
    expect((await ask('POST', `${at}/api/session/reset`, {})).body.info.task).toBe('Press mine')
    expect((await ask('POST', `${at}/api/scenario/load`, { path: 'other' })).body.task).toBe('Press other')
    expect((await ask('POST', '/sessions', { yaml: 'states: {a: {}}' })).body.task).toBe(null)
  })
})

describe('opening sessions', () => {
  it('[OB184] a seed that is no whole number of the range is refused, and the range is named', async () => {
    for (const seed of [1.5, 2 ** 53, -(2 ** 53), 1e20, '7'])
      for (const [path, body] of [
        ['/api/tool/session_reset', { seed }],
        ['/api/tool/load_scenario', { scenario: 'login', seed }],
      ] as const)
        expect((await ask('POST', path, body)).body.error).toMatchObject({
          code: 'BadRequest',
          message: expect.stringContaining(
            `seed: expected a whole number from -9007199254740991 to 9007199254740991, found ${JSON.stringify(seed)}`,
          ),
        })
    for (const [seed, message] of [
      [1.5, 'seed: expected a whole number, found 1.5'],
      [2 ** 53, 'seed: expected at most 9007199254740991, found 9007199254740992'],
      [-(2 ** 53), 'seed: expected at least -9007199254740991, found -9007199254740992'],
    ] as const)
      expect((await ask('POST', '/sessions', { scenario: 'login', seed })).body.error).toMatchObject({ message })
    for (const seed of [2 ** 53 - 1, -(2 ** 53) + 1])
      expect((await ask('POST', '/sessions', { scenario: 'login', seed })).body.seed).toBe(seed)
  })

  // gallery.long.ts opens all of the gallery.
  it.each(['login'])(
    '[OB179] %s of the gallery opens by its name, in a session of its own and in one that is open',
    async (name) => {
      const opened = await ask('POST', '/sessions', { scenario: name })
      expect([opened.status, opened.body.scenario]).toEqual([201, name])
      const tool = (tool: string, body: object) => ask('POST', `${opened.body.base_url}/api/tool/${tool}`, body)
      const loaded = await tool('load_scenario', { path: name, seed: 2 })
      expect([loaded.status, loaded.body.scenario]).toEqual([200, name])
      const reset = await tool('session_reset', { scenario: name, seed: 3 })
      expect([reset.status, reset.body.info.scenario, reset.body.info.seed]).toEqual([200, name, 3])
      expect((await ask('DELETE', `/sessions/${opened.body.session_id}`)).status).toBeLessThan(300)
    },
  )

  it('[REST23] a body that does not fit is refused in our words, with the nearest name', async () => {
    for (const [body, message] of [
      [
        { scnario: 'login' },
        /^unknown key "scnario"; did you mean "scenario"\? The keys here are scenario, path, yaml/,
      ],
      [{ seed: 'x' }, /^seed: expected a (whole )?number, found "x"$/],
      [{ scenario: 5, seeds: 1 }, /scenario: expected text, found 5; unknown key "seeds"; did you mean "seed"\?/],
      [[], /^expected keys with values, found a list$/],
    ] as const)
      expect((await ask('POST', '/sessions', body)).body.error).toMatchObject({
        code: 'BadRequest',
        message: expect.stringMatching(message),
      })
  })

  it('[OB186] sessions of one file share the loaded scenario, and reload a changed file', async () => {
    const path = join(extra, 'shared.yaml')
    writeFileSync(path, 'name: before\nstates: {a: {}}\n')
    const simulation = async () => {
      const { body } = await ask('POST', '/sessions', { scenario: 'shared' })
      return body.scenario
    }
    expect([await simulation(), await simulation()]).toEqual(['before', 'before'])
    writeFileSync(path, 'name: after\nstates: {a: {}}\n')
    expect(await simulation()).toBe('after')
    rmSync(path)
  })
})
