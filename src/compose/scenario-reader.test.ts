import { describe, expect, it } from 'vitest'
import { parseScenario } from '../scenario/load/load.ts'
import { startScenario } from '../scenario/run/step.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { withVariant } from '../scenario/seeds.ts'
import { createScenarioReader, readSentScenario } from './scenario-reader.ts'

// Rules such as [OB181] are stated in src/observer/SPEC.md.

const ORDERS = `name: orders
params: {who: {pick: [Ann, Bob, Cleo]}, rows: {between: [2, 9]}}
vars: {orders: [{id: 1, total: 2.5}, {id: 2, total: 4.0}], note: ''}
locales: {de: {Orders: Bestellungen}}
states:
  list:
    windows:
      - uid: app
        title: "{{ size(orders) }} orders of {{ who }}"
        tree:
          role: Window
          children:
            - {role: Text, name: Orders}
            - {repeat: rows, role: Button, name: "Row {{ item }}"}
            - {id: table, role: Table, name: Orders, rows: orders, columns: [{field: id}, {field: total}]}
            - {role: Edit, name: Note, bind: note}
            - {role: Text, name: "{{ note }}: {{ value('table') }} {{ sum(orders.map(o, o.total)) }}"}
`

/** What clients see of a scenario: its plain fields, and the desktop at its start. */
const seen = ({ program, ...scenario }: Scenario) => ({
  ...scenario,
  texts: [...(program?.templates.keys() ?? [])],
  desktop: JSON.parse(JSON.stringify(startScenario({ program, ...scenario }, { atMs: 0 }).desktop)),
})

describe('a scenario that was sent', () => {
  it('[OB182] is what it is when it is read in place, in every seed and variant', async () => {
    const here = parseScenario(ORDERS, { file: 'scenario' })
    expect(seen(await readSentScenario(ORDERS))).toEqual(seen(here))
    const making = { seed: 7, variant: { locale: 'de', theme: 'dark', style: 'gnome' } }
    expect(seen(await readSentScenario(ORDERS, making))).toEqual(seen(withVariant(here, making.variant, making.seed)))
  })

  it('[OB181] is read once, and its problems are returned', async () => {
    expect(await readSentScenario(ORDERS)).toBe(await readSentScenario(ORDERS))
    await expect(readSentScenario('name: a\nstate: {}')).rejects.toMatchObject({
      code: 'ScenarioInvalid',
      context: { path: 'scenario' },
    })
  })

  it('[OB181] is refused when it takes too long or is too much to start, and the next one is read', async () => {
    const read = createScenarioReader({ maxMs: 0 })
    await expect(read(ORDERS)).rejects.toMatchObject({
      code: 'ScenarioInvalid',
      message: 'scenario: it takes more than 0 s to read',
    })
    await expect(read('name: b')).rejects.toMatchObject({ code: 'ScenarioInvalid' })
  })
})
