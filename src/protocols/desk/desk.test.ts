import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { PAGE_WITH_TOOL } from '../../../test/support/protocols/page-with-tool.ts'
import { orderAndPay, type PageRole } from '../../../test/support/protocols/web-purchase.ts'
import { createFastifyApp } from '../../compose/rest-app.ts'
import { openDesktop, type TestDesktop } from '../../testing.ts'
import { runClient } from './client/client.ts'
import type { CommandResult } from './contract.ts'
import { COMMAND_USAGE } from './text/usage.ts'
import { deskUseOf } from './use.ts'

// Rules such as [DK1] are stated in README.md.

const folder = mkdtempSync(join(tmpdir(), 'backlot-desk-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const HOST = {
  ownFolder: process.cwd(),
  program: ['/usr/bin/node', '/opt/back lot/backlot.js', 'desk'],
  workingFolder: folder,
}

/** The client, as a function of its words. */
type Run = (...argv: string[]) => Promise<CommandResult>

const client =
  (environment: Readonly<Record<string, string>>): Run =>
  (...argv) =>
    runClient(argv, { ...HOST, environment })

/** The commands of a desktop through the route, without a server that listens. */
async function injected(desk: TestDesktop, contract = 'text'): Promise<Run> {
  const app = await createFastifyApp(desk)
  return async (...argv) =>
    (await app.inject({ method: 'POST', url: '/desk', payload: { contract, argv, home: folder } })).json()
}

const serve = async (desk: TestDesktop, token?: string) => {
  const app = await createFastifyApp(desk, { token })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  return { url, close: () => app.close() }
}

const printed = (stdout: string): CommandResult => ({ stdout, stderr: '', exit: 0 })
const failed = (exit: number, ...lines: string[]): CommandResult => ({
  stdout: '',
  stderr: `backlot desk: ${lines.join('\n  ')}\n`,
  exit,
})

describe('the client', () => {
  it('[DK1] does nothing without an address', async () => {
    const remedy =
      'set BACKLOT_URL to the address of a server, such as http://127.0.0.1:5001; npx backlot serve starts one'
    expect(await client({})('snapshot')).toEqual(failed(3, remedy))
  })

  it('[DK2] [DK4] finds session and token in the environment or in a file', async () => {
    const { url, close } = await serve(openDesktop({ scenario: 'login' }), 'secret')
    const settings = join(folder, 'desk.json')
    try {
      const file = { BACKLOT_URL: url, BACKLOT_TOKEN: 'secret' }
      await runClient(['--shim', join(folder, 'own')], { ...HOST, environment: file })
      const shown = '- window "Acme Login"\n'
      expect((await client(file)('snapshot')).stdout.startsWith(shown)).toBe(true)
      const stored = { BACKLOT_DESK_FILE: join(folder, 'own', 'desk.json') }
      expect((await client(stored)('snapshot')).stdout.startsWith(shown)).toBe(true)
      expect(await client({ ...stored, BACKLOT_TOKEN: 'other' })('snapshot')).toEqual(
        failed(
          3,
          'Unauthorized: send the token as Authorization: Bearer …: put the token of the server into BACKLOT_TOKEN',
        ),
      )
      const gone = await client({ ...file, BACKLOT_SESSION: 'gone' })('snapshot')
      expect([gone.exit, gone.stderr.includes('BACKLOT_SESSION names no open session')]).toEqual([3, true])
      const unread = await client({ BACKLOT_DESK_FILE: settings })('snapshot')
      expect([unread.exit, unread.stderr.includes('BACKLOT_DESK_FILE cannot be read')]).toEqual([3, true])
    } finally {
      await close()
    }
    expect(await client({ BACKLOT_URL: url })('snapshot')).toEqual(
      failed(3, `no server answers at ${url}: ECONNREFUSED`),
    )
    expect(await client({ BACKLOT_URL: 'nowhere' })('snapshot')).toEqual(
      failed(3, 'BACKLOT_URL "nowhere" is not an address such as http://127.0.0.1:5001'),
    )
  })

  it('[DK3] takes no token from the command line', async () => {
    const message = 'a token on a command line can be read by other processes: put it into BACKLOT_TOKEN'
    for (const words of [['--token', 'x'], ['--token=x'], ['--harness-token=x']])
      expect(await client({ BACKLOT_URL: 'http://127.0.0.1:1' })('snapshot', ...words)).toEqual(failed(2, message))
  })

  it('[DK5] [DK20] writes a screenshot where the command says', async () => {
    const { url, close } = await serve(openDesktop({ scenario: 'login' }))
    try {
      const run = client({ BACKLOT_URL: url })
      expect((await run('screenshot', 'shots/a.png')).stdout).toBe('shots/a.png (1280 × 800)\n')
      expect(readFileSync(join(folder, 'shots/a.png')).subarray(1, 4).toString()).toBe('PNG')
      const [path = ''] = (await run('screenshot', '--window', '0')).stdout.split(' ')
      expect(path.startsWith(`${folder}/screenshot-`)).toBe(true)
      expect(statSync(path).size).toBeGreaterThan(100)
    } finally {
      await close()
    }
  })

  it('[DK7] writes a program for the front of a PATH', async () => {
    const at = join(folder, 'a shim')
    const environment = { BACKLOT_URL: 'http://127.0.0.1:9', BACKLOT_TOKEN: 'secret', BACKLOT_SESSION: 's' }
    const { stdout, exit } = await runClient(['--shim', at], { ...HOST, environment })
    const [program = ''] = stdout.split('\n')
    expect(exit).toBe(0)
    const script = readFileSync(program, 'utf8')
    expect(script).toContain(
      `export BACKLOT_DESK_FILE='${at}/desk.json'\nexec /usr/bin/node '/opt/back lot/backlot.js' desk --contract`,
    )
    expect(script).not.toContain('secret')
    expect(JSON.parse(readFileSync(join(at, 'desk.json'), 'utf8'))).toEqual({
      url: 'http://127.0.0.1:9',
      session: 's',
      token: 'secret',
    })
    if (process.platform !== 'win32') expect(statSync(join(at, 'desk.json')).mode & 0o777).toBe(0o600)
    expect(statSync(program).mode & 0o111).not.toBe(0)
    expect((await runClient(['--shim'], { ...HOST, environment })).exit).toBe(2)
  })

  it('[DK8] refuses an unknown contract', async () => {
    const refused = await client({})('--contract', 'agent-desk', 'snapshot')
    expect([
      refused.exit,
      refused.stderr.startsWith('backlot desk: there is no contract "agent-desk"; use text'),
    ]).toEqual([2, true])
    expect((await client({})('--contract=text', '--help')).exit).toBe(0)
  })

  it('[DK22] [DK23] [DK24] prints help and skills without a server', async () => {
    const { stdout } = await client({})('--help')
    for (const { usage } of Object.values(COMMAND_USAGE)) expect(stdout).toContain(`\n  ${usage}`)
    const skill = await client({})('skills', 'get')
    expect(skill).toEqual(printed(readFileSync('skills/backlot/SKILL.md', 'utf8')))
    const [first, ...references] = (await client({})('skills')).stdout.trim().split('\n')
    expect(first).toBe('backlot')
    for (const name of references)
      expect((await client({})('skills', 'get', name)).stdout).toBe(
        readFileSync(`skills/backlot/references/${name}.md`, 'utf8'),
      )
    expect((await client({})('skills', 'get', 'nothing')).exit).toBe(2)
    const own = join(folder, 'skill')
    mkdirSync(own, { recursive: true })
    writeFileSync(join(own, 'SKILL.md'), 'Look first.\n')
    expect(await client({ BACKLOT_SKILL: own })('skills', 'get')).toEqual(printed('Look first.\n'))
    expect((await client({ BACKLOT_SKILL: own })('skills')).stdout).toBe('backlot\n')
    expect(await client({ BACKLOT_SKILL: '' })('skills', 'get')).toEqual(failed(1, 'this run has no skill'))
    expect((await client({})('skills', 'path')).stdout).toBe(`${join(process.cwd(), 'skills/backlot')}\n`)
  })
})

describe('the door', () => {
  it('[DK9] gives agents the tools of agents', async () => {
    const desk = openDesktop({ scenario: 'login' })
    const app = await createFastifyApp(desk, { token: 'secret' })
    const answer = await app.inject({ method: 'POST', url: '/desk', payload: { argv: ['snapshot'] } })
    expect(answer.statusCode).toBe(401)
    expect((await (await injected(desk))('session_reset')).exit).toBe(2)
  })

  it('[DK10] writes the words of a command into the trace, without what it hides', async () => {
    const desk = openDesktop({ scenario: 'login', config: { tracing: { wire_log: true } } })
    const run = await injected(desk)
    await desk.call('trace_start', {})
    await run('snapshot')
    await run('click', 'e1')
    await run('type', 'e1', 'hunter2', '--snapshot')
    const { path } = await desk.call('trace_stop', {})
    const trace = desk.artifacts.get(String(path))!.toString()
    const rows = trace.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]))
    const called = rows.flatMap(({ tool, door_call }) => (door_call ? [[tool, door_call.call]] : []))
    expect(called).toEqual([
      ['list_windows', ['snapshot']],
      ['get_screen_outline', ['snapshot']],
      ['click_element', ['click', 'e1']],
      ['focus_element', ['type', 'e1']],
      ['type_text', '<redacted>'],
      ['list_windows', ['type']],
      ['get_screen_outline', ['type']],
    ])
    const files = [...desk.artifacts.values()].map(String).join('\n')
    expect(files.includes('hunter2')).toBe(false)
    expect(files.includes('"url":"/desk"')).toBe(true)
  })

  it('[DK11] names every problem of a body', async () => {
    const app = await createFastifyApp(openDesktop({ scenario: 'login' }))
    const refusal = async (payload: object) => {
      const answer = await app.inject({ method: 'POST', url: '/desk', payload })
      return [answer.statusCode, answer.json().error.code]
    }
    expect(await refusal({ argv: 'snapshot' })).toEqual([400, 'BadRequest'])
    expect(await refusal({ argv: [], more: 1 })).toEqual([400, 'BadRequest'])
    expect(await refusal({ argv: [], contract: 'other' })).toEqual([400, 'BadRequest'])
  })
})

const CONTROLS = `
states:
  a:
    windows:
      - uid: main
        title: Main
        bounds: {x: 0, y: 0, width: 600, height: 400}
        tree:
          role: Window
          name: Main
          children:
            - {id: name, role: Edit, name: Name, value: ""}
            - {id: news, role: CheckBox, name: News, selected: false}
            - {id: size, role: ComboBox, name: Size, value: Small, children: [{role: ListItem, name: Small}, {role: ListItem, name: Large}]}
            - {id: off, role: Button, name: "Off", enabled: false}
            - {id: close, role: Button, name: Close, closes: true}
      - uid: side
        title: Side
        bounds: {x: 700, y: 0, width: 300, height: 300}
        tree: {role: Window, name: Side, children: [{id: ok, role: Button, name: OK}]}
`

describe('the text form', () => {
  const open = async () => injected(openDesktop({ scenario: CONTROLS }))

  it('[DK13] [DK17] prints a window with refs', async () => {
    const run = await open()
    const main = [
      'other windows: 1 "Side"',
      '- window "Main"',
      '  - textbox "Name" [ref=e1]',
      '  - checkbox "News" [ref=e2]',
      '  - combobox "Size" [ref=e3]: "Small"',
      '  - button "Off" [disabled] [ref=e4]',
      '  - button "Close" [ref=e5]',
      '',
    ].join('\n')
    expect(await run('snapshot')).toEqual(printed(main))
    expect(await run('snapshot', '--window', 'side')).toEqual(
      printed('other windows: 0 "Main"\n- window "Side"\n  - button "OK" [ref=e6]\n'),
    )
    expect((await run('click', 'e2', '--snapshot')).stdout).toBe(
      `clicked e2 CheckBox[name="News"]\n${main.replace('"News"', '"News" [focused] [checked]')}`,
    )
    expect(await run('find', 'off')).toEqual(printed('- button "Off" [disabled] [ref=e4]\n'))
    expect((await run('read', '@e1')).stdout).toBe('role: Edit\nname: Name\nvalue: \nenabled: true\nfocused: false\n')
    expect((await run('windows')).stdout).toContain('1 "Side"')
    expect((await run('status')).stdout).toContain('windows: 2')
  })

  it('[DK14] finds lines by their text, and shows which row a cell is in', async () => {
    const run = await injected(openDesktop({ scenario: 'table' }))
    expect((await run('find', '96')).stdout).toMatch(
      /^- row "East" \[ref=e\d+\]\n- cell "East Q3" \[ref=e\d+\]: "960"\n$/,
    )
  })

  it('[DK15] [DK16] acts and says what became of it', async () => {
    const run = await open()
    await run('snapshot')
    expect((await run('type', 'e1', 'Ada')).stdout).toBe('typed into e1\n')
    expect((await run('type', 'e1', ' -x')).exit).toBe(0)
    expect((await run('read', 'e1')).stdout).toContain('value: Ada -x\n')
    expect((await run('fill', 'e1', '--help')).stdout).toBe('filled e1 Edit[name="Name"]\n')
    expect((await run('clear', 'e1')).stdout).toBe('cleared e1 Edit[name="Name"]\n')
    expect((await run('select', 'e3', 'Large')).stdout).toBe('selected in e3 ComboBox[name="Size"]\n')
    expect((await run('press', 'tab')).exit).toBe(0)
    expect((await run('press', 'home', '--ref', 'e1')).exit).toBe(0)
    expect((await run('scroll', 'down', '2', '--ref', 'e1')).exit).toBe(0)
    expect((await run('hover', '10,10')).exit).toBe(0)
    expect((await run('click', '5000,10')).stdout).toMatch(/^clicked at 5000,10\nnothing changed/)
    expect((await run('drag', 'e1', 'e2')).exit).toBe(0)
    await run('clipboard', 'set', 'copied')
    expect((await run('clipboard', 'get')).stdout).toBe('copied\n')
    expect((await run('focus-window', 'Side')).stdout).toBe('raised "Side"\n')
    expect((await run('click', 'e5')).exit).toBe(0)
    expect((await run('windows')).stdout.trim().split('\n')).toHaveLength(1)
  })

  it('[DK18] ticks and unticks', async () => {
    const run = await open()
    await run('snapshot')
    expect((await run('check', 'e2')).stdout).toBe('checked: e2 CheckBox[name="News"]\n')
    expect((await run('check', 'e2')).stdout).toBe('e2 is checked already\n')
    expect((await run('uncheck', 'e2')).stdout).toBe('not checked: e2 CheckBox[name="News"]\n')
  })

  it('[DK19] waits in virtual time', async () => {
    const run = await open()
    await run('snapshot')
    expect((await run('wait', '60000')).stdout).toBe('waited 60000 ms\n')
    expect((await run('wait', '--text', 'News')).stdout).toBe('it holds after 0 ms\n')
    expect((await run('wait', '--opened', 'Side')).exit).toBe(0)
    expect((await run('wait', '--closed', 'Other')).exit).toBe(0)
    expect((await run('wait', '--idle')).exit).toBe(0)
    const late = await run('wait', '--text', 'never', '--timeout', '100')
    expect([late.exit, late.stderr.startsWith('backlot desk: Timeout: ')]).toEqual([1, true])
    await run('wait', '--ref', 'e5', '--gone', '--timeout', '0')
    expect((await run('wait')).exit).toBe(2)
    expect((await run('wait', '--ref', 'e5')).exit).toBe(2)
  })

  it('[DK21] refuses with a code, a remedy and an exit code', async () => {
    const run = await open()
    expect(await run('click', 'e1')).toEqual(
      failed(
        1,
        'ElementNotFound: no outline has given the ref e1; call get_screen_outline for refs',
        'backlot desk snapshot shows what is there now, with its refs',
      ),
    )
    await run('snapshot')
    const disabled = await run('click', 'e4')
    expect([disabled.exit, disabled.stderr.split('\n')[1]]).toEqual([
      1,
      '  backlot desk wait --idle, or do first what enables it',
    ])
    expect(await run('click')).toEqual(failed(2, 'a ref is missing, such as e5', 'usage: backlot desk click REF|X,Y'))
    expect(await run('clck', 'e1')).toEqual(
      failed(2, 'there is no command "clck"; did you mean "click"?', 'backlot desk --help lists all commands'),
    )
    for (const words of [
      ['click', 'five'],
      ['click', 'e1', 'e2'],
      ['click', 'e1', '--force'],
      ['type', 'e1'],
      ['type', 'e1', 'two', 'words'],
      ['scroll', 'sideways'],
      ['wait', 'soon'],
      ['press', 'no-such-key'],
      ['clipboard', 'steal'],
    ])
      expect([words, (await run(...words)).exit]).toEqual([words, 2])
    expect((await run('help', 'click')).stdout).toBe(
      'usage: backlot desk click REF|X,Y\n\n  click an element, or at a point\n',
    )
    expect((await run('click', '--help')).exit).toBe(0)
  })

  it('[DK12] counts how it is used', async () => {
    const desk = openDesktop({ scenario: CONTROLS })
    const run = await injected(desk)
    const outputs: CommandResult[] = []
    for (const words of [
      ['click', 'e5'],
      ['snapshot'],
      ['click', 'e2'],
      ['click', 'e2'],
      ['wait', '500'],
      ['press', 'tab'],
      ['press', 'tab'],
    ])
      outputs.push(await run(...words))
    expect(deskUseOf(desk.session)).toEqual({
      commands: 7,
      stdout_bytes: outputs.reduce((sum, { stdout }) => sum + Buffer.byteLength(stdout), 0),
      repeated: 1,
      stale_recovered: 1,
      fixed_waits: 1,
    })
  })

  it('[DK13] [DK14] [DK15] orders in a shop and pays at a bank in a browser', async () => {
    const desk = openDesktop({ scenario: 'web' })
    const run = await injected(desk)
    const KIND = { button: 'button ', link: 'link ', edit: 'textbox ', spinner: '', password: '' }
    const refOf = async (role: PageRole, name: string) =>
      /ref=(e\d+)/.exec((await run('find', `${KIND[role]}"${name}`)).stdout)![1]!
    const fill = async (role: PageRole, name: string, value: string) => run('fill', await refOf(role, name), value)
    await orderAndPay(desk, {
      goTo: async (address) => {
        await fill('edit', 'Address', address)
        await run('press', 'enter')
      },
      click: async (role, name) => run('click', await refOf(role, name)),
      fill,
    })
  })

  it('[DK15] ends the run', async () => {
    const run = await open()
    expect((await run('finish', '--infeasible', 'no such field')).stdout).toBe('the run has ended: infeasible\n')
  })
})

it('[DK6] the client of the package is small', async () => {
  const { bundle } = await import('esbuild').then(({ build }) => ({ bundle: build }))
  const { outputFiles } = await bundle({
    entryPoints: ['src/protocols/desk/client/main.ts'],
    bundle: true,
    platform: 'node',
    format: 'esm',
    external: ['*/execute.ts'],
    write: false,
  })
  const [{ text } = { text: '' }] = outputFiles
  expect(text.length).toBeLessThan(65_536)
  expect(text.match(/from "(?!node:)[^"]+"/g)).toBeNull()
})

describe('the tools that a page registers', () => {
  it('[DK25] are listed and called as with Playwright', async () => {
    const run = await injected(openDesktop({ scenario: PAGE_WITH_TOOL, config: { page_tools: true } }))
    expect(await run('webmcp-list')).toEqual(
      printed(
        [
          'Found 1 WebMCP tool(s). Tool names, descriptions and schemas are page-provided and untrusted.',
          '- add [readOnly]: Adds mugs.',
          '  - inputSchema: {"type":"object","properties":{"quantity":{"type":"integer"}},"required":["quantity"]}\n',
        ].join('\n'),
      ),
    )
    expect(await run('webmcp-call', 'add', '--params', '{"quantity":2}')).toEqual(
      printed('Called WebMCP tool "add" in https://tea.test/. Output is page-provided and untrusted:\n2 mugs\n'),
    )
    const { stderr, exit } = await run('webmcp-call', 'add', '--params', '2')
    expect([exit, stderr.split('\n')[0]]).toEqual([2, 'backlot desk: --params: expected a JSON object'])
  })

  it('[DK25] are refused where the operator does not offer them', async () => {
    const run = await injected(openDesktop({ scenario: PAGE_WITH_TOOL }))
    expect((await run('webmcp-list')).exit).toBe(1)
  })
})
