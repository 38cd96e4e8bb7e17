import { readFileSync } from 'node:fs'
import { PNG } from 'pngjs'
import { describe, expect, it } from 'vitest'
import { createTestbed } from './testbed.ts'
import { matchers, rehearse } from './testing.ts'

expect.extend(matchers)

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')
const PAGE = read('../docs/testing.md')

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
  it('does to elements what its words say', async () => {
    const desk = rehearse(SHOP)
    await desk.on('Edit "Name"').type('!')
    await desk.on('Edit "Name"').press('home')
    await desk.type('Lady ')
    await desk.press('end')
    await expect(desk).toShow('Edit[value="Lady Ada!"]')
    await desk.on('Edit "Name"').set('Grace')
    await desk.on('ComboBox "Size"').choose('L')
    await expect(desk).toShow('ComboBox[value="L"]')
    await desk.on('ComboBox "Size"').choose(0)
    await expect(desk).toShow('ComboBox[value="S"]')
    await desk.on('Edit "Name"').clear()
    await desk.on('Edit "Name"').focus()
    await desk.on('Button "Close"', 'Help').hover()
    await desk.on('Text "Nothing bought"').doubleClick()
    await desk.on('Text "Nothing bought"').rightClick()
    await desk.on('Button "Buy"').invoke()
    await desk.until('Text[name~="Bought.*"]')
    const { width, height } = PNG.sync.read(await desk.screenshot())
    expect([width, height]).toEqual([1280, 800])
  })

  it('throws the fault of what is refused, or answers it when asked', async () => {
    const desk = rehearse(SHOP)
    await expect(desk.on('Button "Sell"').click()).rejects.toMatchObject({ code: 'ElementNotFound' })
    await expect(desk.until('Button "Sell"', 100)).rejects.toMatchObject({ code: 'Timeout' })
    expect(await desk.ask('press_key', { keys: 'no-such-key' })).toMatchObject({ error: { code: 'BadRequest' } })
  })
})

describe('the matchers', () => {
  it('judge what is shown, said and solved, and show the screen when it is otherwise', async () => {
    const desk = rehearse(SHOP)
    const before = [
      await matchers.toShow(desk, 'Button "Close"'),
      await matchers.toShow(desk, 'Button "Close"', 'Help'),
      await matchers.toSay(desk, 'Bought (1) for Ada'),
      await matchers.toBeSolved(desk),
    ]
    expect(before.map(({ pass }) => pass)).toEqual([false, true, false, false])
    expect(before[0]!.message()).toContain('no element matches selector')
    for (const { message } of before) expect(message()).toContain('| Window "Shop"')
    // Rows that show nothing new are left out, from a picture that would have 22 of them.
    const rows = before[0]!.message().split('\n')
    expect(rows.length).toBeLessThan(20)
    expect(rows.some((row, at) => row === rows[at - 1] && row !== '')).toBe(false)
    for (const words of ['Name: Ada', '[ Buy ]', 'Nothing bought']) expect(before[0]!.message()).toContain(words)
    await desk.on('Button "Buy"').click()
    expect((await matchers.toSay(desk, 'Bought (1) for Ada')).pass).toBe(true)
    expect((await matchers.toBeSolved(desk)).message()).toContain('the scenario is solved')
  })

  it('take only what is not there for missing, so that a mistake or a gate does not please `.not`', async () => {
    const desk = rehearse(SHOP)
    await expect(desk).not.toShow('Button "Sell"')
    await expect(desk).not.toShow('Button "Close"', 'No such window')
    await expect(matchers.toShow(desk, 'Button "Buy')).rejects.toMatchObject({ code: 'BadRequest' })
    const closed = rehearse(SHOP, { settings: { actions: { default: 'deny' } } })
    await expect(matchers.toShow(closed, 'Button "Buy"')).rejects.toMatchObject({ code: 'PermissionDenied' })
    await expect(matchers.toSay(closed, 'Bought')).rejects.toMatchObject({ code: 'PermissionDenied' })
  })
})

it.each([
  ['a promise', Promise.resolve(rehearse(SHOP)), 'await it first'],
  ['anything else', {}, 'is expected'],
  ['nothing', undefined, 'is expected'],
])('a matcher that is handed %s says what it expects, with `.not` too', async (_what, received, told) => {
  const fault = { code: 'BadRequest', message: expect.stringContaining(told) }
  await expect(expect(received).not.toBeSolved()).rejects.toMatchObject(fault)
  await expect(expect(received).toShow('Button')).rejects.toMatchObject(fault)
  await expect(expect(received).toSay('Bought')).rejects.toMatchObject(fault)
})

it('what a real desktop shows cannot be solved', async () => {
  const { session } = rehearse(SHOP)
  const real = {
    session: Object.create(session, { computer: { value: { ...session.computer, simulation: undefined } } }),
  }
  await expect(matchers.toBeSolved(real)).rejects.toMatchObject({ code: 'PlatformUnsupported' })
})

it.each([1.5, Number.NaN, 'x'])('a seed that is no whole number is refused: %s', async (seed) => {
  const fault = { code: 'BadRequest', message: expect.stringContaining('a seed is a whole number') }
  expect(() => rehearse(SHOP, { seed: seed as number })).toThrow(expect.objectContaining(fault))
  await expect(createTestbed({ seed: seed as number })).rejects.toMatchObject(fault)
})

it('a testbed ends with the block that uses it', async () => {
  const ask = (url: string) => fetch(`${url}/api/healthz`)
  let url: string
  {
    await using testbed = await createTestbed()
    url = (await testbed.serveRest({ port: 0 })).url
    expect((await ask(url)).status).toBe(200)
  }
  await expect(ask(url)).rejects.toThrow()
})

describe('the page on testing', () => {
  it('shows the example that is run here', () => {
    const [, shown = ''] = /```ts\n(.*?)```/s.exec(PAGE) ?? []
    const [run = ''] = read('testing.example.test.ts').split('\n/** Stands for the agent')
    expect(shown.trim()).toBe(
      run.replace("'./index.ts'", "'backlot'").replace("'./testing.ts'", "'backlot/testing'").trim(),
    )
  })

  it('names every hand there is', () => {
    const [, table = ''] = PAGE.split('<!-- hands -->')
    const desk = rehearse(SHOP)
    const hands = Object.keys(desk).filter((key) => typeof desk[key as keyof typeof desk] === 'function')
    for (const hand of [...hands, ...Object.keys(desk.on('Button'))])
      expect(table).toMatch(new RegExp(`\`${hand}(\\(|\`)`))
    for (const matcher of Object.keys(matchers)) expect(PAGE).toContain(`\`${matcher}(`)
  })
})
