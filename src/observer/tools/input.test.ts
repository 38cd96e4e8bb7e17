import { describe, expect, it } from 'vitest'
import { realDesktop } from '../../../test/support/observer/real-desktop.ts'
import type { Action } from '../../desktop/input/action.ts'
import { openDesktop } from '../../testing.ts'

// Rules such as [OB101] are stated in src/observer/SPEC.md.

const TIMED = `
states:
  a:
    windows:
      - uid: mock:note
        title: Note
        tree:
          role: Window
          name: Note
          children:
            - {id: text, role: Edit, name: Text, value: "", focused: true}
timers:
  - {in: a, after_ms: 240, set: [{id: text, value: ""}]}
`

describe('text at intervals', () => {
  it('[OB101] passes time after each character of a synthetic desktop', async () => {
    const desktop = openDesktop({ scenario: TIMED })
    const startMs = desktop.clock.now()
    const body = await desktop.call('type_text', { text: 'abcd', interval_ms: 100 })
    expect(body).toMatchObject({ action: 'type', length: 4, interval_ms: 100 })
    expect(desktop.clock.now() - startMs).toBe(450)
    const shown = await desktop.call('get_window_structure', {})
    // The timer has emptied the field before the last character.
    expect(JSON.stringify(shown)).toContain('"value":"d"')
  })

  it('[OB101] is one action of a real desktop that types at intervals by itself, and else one for each character', async () => {
    for (const typesAtIntervals of [true, false]) {
      const done: Action[] = []
      const perform = (action: Action) => {
        done.push(action)
        return { via: 'keyboard' } as const
      }
      const { session } = realDesktop()
      const info = { ...session.context.computer.info, typesAtIntervals }
      const { ask, clock } = realDesktop({ info, perform })
      const asked = ask('type_text', { text: 'ab', interval_ms: 1 })
      await clock.advance(1000)
      expect((await asked).fault).toBeUndefined()
      expect(done).toEqual(
        typesAtIntervals
          ? [{ type: 'type', text: 'ab', intervalMs: 1 }]
          : [
              { type: 'type', text: 'a' },
              { type: 'type', text: 'b' },
            ],
      )
    }
  })

  it('[OB101] takes at most a minute', async () => {
    const { fault } = await realDesktop().ask('type_text', { text: 'x'.repeat(7), interval_ms: 10_000 })
    expect(fault).toMatchObject({
      code: 'BadRequest',
      message: 'interval_ms: 7 characters at intervals of 10000 ms take more than 60 s; type them in parts',
    })
  })
})
