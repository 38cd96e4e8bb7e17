import { readFileSync } from 'node:fs'
import { PNG } from 'pngjs'
import { describe, expect, it } from 'vitest'
import { createTestbed } from '../../src/compose/testbed.ts'
import { matchers, openDesktop } from '../../src/testing.ts'

expect.extend(matchers)

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')
const PAGE = read('../../docs/testing.md')

const SHOP = `
name: shop
states:
  only:
    windows:
      - uid: shop
        title: Shop
        tree:
          role: Window
          name: Shop
          children:
            - {id: name, role: Edit, name: Name, value: Ada}
            - {id: size, role: ComboBox, name: Size, value: S, children: [{role: ListItem, name: S, selected: true}, {role: ListItem, name: L}]}
            - {id: buy, role: Button, name: Buy}
            - {id: said, role: Text, name: Nothing bought}
      - {uid: help, title: Help, tree: {role: Window, name: Help, children: [{role: Button, name: Close}]}, bounds: {x: 820, y: 20, width: 300, height: 200}}
reactions:
  - {on: {tool: click_element, target_id: buy}, set: [{id: said, name: "Bought (1) for {name.value}"}]}
oracles: {success: [{kind: text_visible, regex: Bought}]}
`

describe('a driver', () => {
  it('performs every action of a locator', async () => {
    const desktop = openDesktop({ scenario: SHOP })
    await desktop.locator('Edit "Name"').type('!')
    await desktop.locator('Edit "Name"').press('home')
    await desktop.type('Lady ')
    await desktop.press('end')
    await expect(desktop).toHaveElement('Edit[value="Lady Ada!"]')
    await desktop.locator('Edit "Name"').fill('Grace')
    await desktop.locator('ComboBox "Size"').selectOption('L')
    await expect(desktop).toHaveElement('ComboBox[value="L"]')
    await desktop.locator('ComboBox "Size"').selectOption(0)
    await expect(desktop).toHaveElement('ComboBox[value="S"]')
    await desktop.locator('Edit "Name"').clear()
    await desktop.locator('Edit "Name"').focus()
    await desktop.locator('Button "Close"', 'Help').hover()
    await desktop.locator('Text "Nothing bought"').doubleClick()
    await desktop.locator('Text "Nothing bought"').rightClick()
    await desktop.locator('Button "Buy"').invoke()
    await desktop.waitForSelector('Text[name~="Bought.*"]')
    const { width, height } = PNG.sync.read(await desktop.screenshot())
    expect([width, height]).toEqual([1280, 800])
  })

  it('names the nearest scenario to one that does not exist', () => {
    expect(() => openDesktop({ scenario: 'lgin' })).toThrow('there is no scenario "lgin"; did you mean "login"?')
    expect(() => openDesktop({ scenario: 'scenarios/lgin.yaml' })).toThrow(
      'there is no scenario file scenarios/lgin.yaml; did you mean "login.yaml"?',
    )
    expect(() => openDesktop({ scenario: './none/at-all.yaml' })).toThrow(
      /^there is no scenario file \.\/none\/at-all\.yaml$/,
    )
    expect(() => openDesktop({ scenario: './scenarios' })).toThrow('./scenarios is a folder, not a scenario')
  })

  it('throws the fault of a failed call, which tryCall returns', async () => {
    const desktop = openDesktop({ scenario: SHOP })
    await expect(desktop.locator('Button "Sell"').click()).rejects.toMatchObject({ code: 'ElementNotFound' })
    await expect(desktop.waitForSelector('Button "Sell"', 100)).rejects.toMatchObject({ code: 'Timeout' })
    expect(await desktop.tryCall('press_key', { keys: 'no-such-key' })).toMatchObject({ error: { code: 'BadRequest' } })
  })
})

describe('the matchers', () => {
  it('check elements, text and success, and draw the screen in messages', async () => {
    const desktop = openDesktop({ scenario: SHOP })
    const before = [
      await matchers.toHaveElement(desktop, 'Button "Close"'),
      await matchers.toHaveElement(desktop, 'Button "Close"', 'Help'),
      await matchers.toHaveText(desktop, 'Bought (1) for Ada'),
      await matchers.toBeSolved(desktop),
    ]
    expect(before.map(({ pass }) => pass)).toEqual([false, true, false, false])
    expect(before[0]!.message()).toContain('no element matches selector')
    for (const { message } of before) expect(message()).toContain('| Window "Shop"')
    // Repeated empty rows of the 22 are removed.
    const rows = before[0]!.message().split('\n')
    expect(rows.length).toBeLessThan(20)
    expect(rows.some((row, at) => row === rows[at - 1] && row !== '')).toBe(false)
    for (const words of ['Name: Ada', '[ Buy ]', 'Nothing bought']) expect(before[0]!.message()).toContain(words)
    await desktop.locator('Button "Buy"').click()
    expect((await matchers.toHaveText(desktop, 'Bought (1) for Ada')).pass).toBe(true)
    for (const text of [/bought \(\d\)/i, /^Bought/g, expect.stringContaining('for Ada')])
      expect((await matchers.toHaveText(desktop, text)).pass).toBe(true)
    expect((await matchers.toHaveText(desktop, /sold/)).pass).toBe(false)
    await expect(matchers.toHaveText(desktop, 7 as never)).rejects.toThrow('toHaveText takes a text, a RegExp')
    expect((await matchers.toBeSolved(desktop)).message()).toContain('the scenario is solved')
  })

  it('make a test of vitest fail that does not await them', async () => {
    const desktop = openDesktop({ scenario: SHOP })
    const endOf = async (isNot: boolean) => {
      const state = { isNot, task: { promises: [] as Promise<unknown>[] } }
      matchers.toBeSolved.call(state, desktop)
      const [end] = await Promise.allSettled(state.task.promises)
      return [end?.status, state.task.promises.length]
    }
    expect([await endOf(false), await endOf(true)]).toEqual([
      ['rejected', 0],
      ['fulfilled', 0],
    ])
    await desktop.locator('Button "Buy"').click()
    expect([await endOf(false), await endOf(true)]).toEqual([
      ['fulfilled', 0],
      ['rejected', 0],
    ])
    await expect(expect(desktop).not.toBeSolved()).rejects.toThrow('the scenario is solved')
  })

  it('throw for a wrong selector and a denied call instead of passing with `.not`', async () => {
    const desktop = openDesktop({ scenario: SHOP })
    await expect(desktop).not.toHaveElement('Button "Sell"')
    await expect(desktop).not.toHaveElement('Button "Close"', 'No such window')
    await expect(matchers.toHaveElement(desktop, 'Button "Buy')).rejects.toMatchObject({ code: 'BadRequest' })
    const closed = openDesktop({ scenario: SHOP, config: { actions: { default: 'deny' } } })
    await expect(matchers.toHaveElement(closed, 'Button "Buy"')).rejects.toMatchObject({ code: 'PermissionDenied' })
    await expect(matchers.toHaveText(closed, 'Bought')).rejects.toMatchObject({ code: 'PermissionDenied' })
  })
})

it.each([
  ['a promise', Promise.resolve(openDesktop({ scenario: SHOP })), 'await it first'],
  ['another object', {}, 'expected a desktop'],
  ['undefined', undefined, 'expected a desktop'],
])('a matcher that receives %s throws, with `.not` too', async (_name, received, message) => {
  const fault = { code: 'BadRequest', message: expect.stringContaining(message) }
  await expect(expect(received).not.toBeSolved()).rejects.toMatchObject(fault)
  await expect(expect(received).toHaveElement('Button')).rejects.toMatchObject(fault)
  await expect(expect(received).toHaveText('Bought')).rejects.toMatchObject(fault)
})

it('toBeSolved throws for a real desktop, which has no oracles', async () => {
  const { session } = openDesktop({ scenario: SHOP })
  const real = {
    session: Object.create(session, { computer: { value: { ...session.computer, simulation: undefined } } }),
  }
  await expect(matchers.toBeSolved(real)).rejects.toMatchObject({ code: 'PlatformUnsupported' })
})

it.each([1.5, Number.NaN, 2 ** 53, 'x'])('rejects the seed %s, which is not a whole number', async (seed) => {
  const fault = {
    code: 'BadRequest',
    message: expect.stringContaining('the seed must be a whole number from -9007199254740991 to'),
  }
  expect(() => openDesktop({ scenario: SHOP, seed: seed as number })).toThrow(expect.objectContaining(fault))
  await expect(createTestbed({ seed: seed as number })).rejects.toMatchObject(fault)
})

it('`await using` closes a testbed at the end of its block', async () => {
  const get = (url: string) => fetch(`${url}/api/healthz`)
  let url: string
  {
    await using testbed = await createTestbed()
    url = (await testbed.serveRest({ port: 0 })).url
    expect((await get(url)).status).toBe(200)
  }
  await expect(get(url)).rejects.toThrow()
})

describe('docs/testing.md', () => {
  it('shows the example of testing.example.test.ts', () => {
    const [, shown = ''] = /```ts\n(.*?)```/s.exec(PAGE) ?? []
    const [run = ''] = read('testing.example.test.ts').split('\n/** A stand-in for the agent')
    expect(shown.trim()).toBe(
      run.replace("'../../src/index.ts'", "'backlot'").replace("'../../src/testing.ts'", "'backlot/testing'").trim(),
    )
  })

  it('names every action and matcher', () => {
    const [, table = ''] = PAGE.split('<!-- actions -->')
    const desktop = openDesktop({ scenario: SHOP })
    const actions = Object.keys(desktop).filter((key) => typeof desktop[key as keyof typeof desktop] === 'function')
    for (const action of [...actions, ...Object.keys(desktop.locator('Button'))])
      expect(table).toMatch(new RegExp(`\`${action}(\\(|\`)`))
    for (const matcher of Object.keys(matchers)) expect(PAGE).toContain(`\`${matcher}(`)
  })
})
