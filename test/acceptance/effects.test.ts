import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { createDriver } from '../../src/compose/driver.ts'
import { memorySession } from '../../src/compose/memory-session.ts'
import { nodeById } from '../../src/desktop/model/element.ts'
import { checkScenario } from '../../src/scenario/load/load.ts'
import { entriesOf, timesHappened } from '../../src/scenario/scenario-run.ts'

// Every effect, trigger and guard of fixtures/effects.yaml, by tools as an agent calls them.

const { scenario, warnings } = checkScenario(
  readFileSync(new URL('../../fixtures/effects.yaml', import.meta.url), 'utf8'),
)

/** A session of the scenario, with shortcuts to what tests read. */
function play(seed?: number) {
  const { session, computer, clock } = memorySession(scenario, seed === undefined ? {} : { seed })
  const driver = createDriver(session)
  return {
    driver,
    clock,
    click: (name: string) => driver.locator(`Button "${name}"`).click(),
    element: (id: string) => computer.desktop.windows.map(({ tree }) => nodeById(tree, id)).find((found) => found)!,
    status: () => computer.desktop.windows.map(({ tree }) => nodeById(tree, 'status')?.name).find((name) => name),
    windows: () => computer.desktop.windows.map(({ uid }) => uid),
    window: (uid: string) => computer.desktop.windows.find((each) => each.uid === uid)!,
    active: () => computer.desktop.active,
    run: () => computer.run,
  }
}

describe('a scenario with every effect, trigger and guard', () => {
  it('has no warnings', () => {
    expect(warnings([])).toEqual([])
  })

  it('opens, moves, maximises, activates and closes windows', async () => {
    const desk = play()
    await desk.driver.locator('Edit "Item"').fill('Lamp')
    await desk.click('Open')
    expect([desk.windows(), desk.active()]).toEqual([['tools', 'app'], 'tools'])
    await desk.driver.call('bring_to_foreground', { window_uid: 'app' })
    await desk.click('Move')
    expect([desk.windows(), desk.window('app').title, desk.window('tools').state]).toEqual([
      ['app', 'tools'],
      'Moved',
      'maximized',
    ])
    await desk.click('Close')
    expect(desk.windows()).toEqual(['app'])
    expect(entriesOf(desk.run().log).at(-1)).toMatchObject({ kind: 'effect-skipped', name: 'close' })
    await desk.click('Ask')
    expect(desk.window('ask')).toMatchObject({ title: 'Ask about Lamp', modalTo: 'app' })
    await desk.click('Yes')
    expect(desk.windows()).toEqual(['app'])
  })

  it('shows notifications, menus and other states', async () => {
    const desk = play()
    await desk.click('Notify')
    expect(desk.windows()).toEqual(['toast', 'app'])
    await desk.driver.call('click_element', { selector: 'Button "Undo"', window_uid: 'toast' })
    expect([desk.windows(), desk.status()]).toEqual([['app'], 'Undone'])
    await desk.click('Notify')
    desk.clock.advance(4000)
    expect(desk.windows()).toEqual(['app'])
    await desk.click('Menu')
    expect(desk.element('row-menu')).toMatchObject({ expanded: true, bounds: { x: 200, y: 200 } })
    await desk.driver.press('escape')
    await desk.click('Help')
    expect([desk.run().state, desk.windows()]).toEqual(['help', ['guide']])
    await desk.click('Back')
    expect([desk.run().state, desk.run().previous]).toEqual(['desk', 'help'])
  })

  it('schedules effects and changes the clipboard, files, lists and the log', async () => {
    const desk = play()
    await desk.driver.locator('Edit "Item"').fill('Lamp')
    desk.clock.advance(300)
    await desk.click('Later')
    await desk.click('Store')
    expect(desk.run().desktop).toMatchObject({ clipboard: 'Lamp', files: { '/notes/b.txt': 'Lamp' } })
    expect(desk.element('added').name).toBe('Lamp')
    expect(entriesOf(desk.run().log).map(({ name }) => name)).toEqual(['typed Lamp', 'stored Lamp'])
    desk.clock.advance(500)
    expect(desk.status()).toBe('Late')
  })

  it('reacts to keys, regions, drops, changes, selectors and roles', async () => {
    const desk = play()
    await desk.driver.press('shift+control+h')
    expect(desk.status()).toBe('Keys')
    const { x, y } = desk.element('map').bounds
    const at = async (dx: number) => {
      await desk.driver.call('click_at', { x: x + dx, y: y + 20 })
      return desk.status()
    }
    expect([await at(20), await at(150)]).toEqual(['West', 'East'])
    const drag = async (name: string) => {
      await desk.driver.call('drag', { from: { selector: `ListItem "${name}"` }, to: { selector: 'Group "Bin"' } })
      return desk.status()
    }
    expect([await drag('Nut'), await drag('Gear')]).toEqual(['Nut binned', 'Part binned'])
    await desk.driver.locator('Spinner "Count"').fill('4')
    expect(desk.status()).toBe('Count 4')
    await desk.driver.locator('ListItem "Bolt"').doubleClick()
    expect(desk.status()).toBe('Part opened')
    await desk.driver.locator('Image "Map"').hover()
    expect(desk.status()).toBe('Hovered')
  })

  it('refuses an invalid form, counts what happened and compares the time in the state', async () => {
    const desk = play()
    await desk.click('Order')
    expect([desk.status(), desk.element('item').description, desk.element('item').focused]).toEqual([
      'Ready',
      'Name the item',
      true,
    ])
    await desk.driver.type('Lamp')
    const statuses: (string | undefined)[] = []
    for (let clicks = 0; clicks < 3; clicks++) {
      await desk.click('Order')
      statuses.push(desk.status())
    }
    expect(statuses).toEqual(['Ordered', 'Ordered', 'Enough'])
    expect(timesHappened(desk.run().log, 'order_sent')).toBe(2)
    expect(entriesOf(desk.run().log).find(({ kind }) => kind === 'emit')?.fields).toEqual({ item: 'Lamp', count: 1 })
    const late = play()
    await late.driver.locator('Edit "Item"').fill('Lamp')
    late.clock.advance(60_000)
    await late.click('Order')
    expect(late.status()).toBe('Too late')
    expect(timesHappened(late.run().log, 'pulse')).toBe(6)
  })

  it('counts selected parts', async () => {
    const desk = play()
    await desk.driver.locator('ListItem "Bolt"').click()
    await desk.driver.press('f9')
    expect(desk.status()).toBe('Ready')
    await desk.driver.press('shift+down')
    await desk.driver.press('f9')
    expect(desk.status()).toBe('Two parts')
    await desk.driver.press('shift+down')
    expect(desk.status()).toBe('All parts')
  })

  it('draws probabilities and choices from the seed, again after a rewind', async () => {
    const drawn = async (seed: number, button: string) => {
      const desk = play(seed)
      const found: (string | undefined)[] = []
      for (let clicks = 0; clicks < 12; clicks++) {
        await desk.click(button)
        found.push(desk.status())
      }
      return found
    }
    const luck = await drawn(1, 'Chance')
    expect([...new Set(luck)].sort()).toEqual(['Lucky', 'Unlucky'])
    expect([...new Set(await drawn(1, 'Choice'))].sort()).toEqual(['Heads', 'Tails'])
    expect(await drawn(1, 'Chance')).toEqual(luck)
    expect(await drawn(2, 'Chance')).not.toEqual(luck)
    const desk = play(1)
    await desk.click('Chance')
    await desk.click('Chance')
    await desk.driver.call('session_rewind', { to_step: 1 })
    await desk.click('Chance')
    expect(desk.status()).toBe(luck[1])
  })
})
