import { describe, expect, it } from 'vitest'
import { watchSettling } from './real-input.ts'

/** A desktop whose content and windows are given per millisecond by functions. */
function desktopAt(content: (ms: number) => string, windows: (ms: number) => string = () => '') {
  let ms = 0
  return {
    content: () => content(ms),
    windows: () => windows(ms),
    async pause(by: number) {
      ms += by
    },
    now: () => ms,
  }
}

async function waited(desktop: ReturnType<typeof desktopAt>, settleMs?: number): Promise<number> {
  await (await watchSettling(desktop, settleMs))()
  return desktop.now()
}

describe('waiting for programs that report no changes', () => {
  it('ends after a change that no other follows', async () => {
    expect(await waited(desktopAt((ms) => (ms < 60 ? 'a' : 'b')))).toBe(120)
    expect(await waited(desktopAt((ms) => `${Math.min(4, Math.floor(ms / 30))}`))).toBe(150)
  })

  it('ends after a while without a change, and when changes do not end', async () => {
    expect(await waited(desktopAt(() => 'a'))).toBe(120)
    expect(await waited(desktopAt((ms) => `${ms}`))).toBeLessThan(800)
  })

  it('waits for a window as long as it is asked to', async () => {
    const late = (ms: number) => (ms < 400 ? 'one' : 'one two')
    expect(
      await waited(
        desktopAt(() => 'a', late),
        1000,
      ),
    ).toBe(420)
    expect(
      await waited(
        desktopAt(() => 'a', late),
        200,
      ),
    ).toBeLessThan(400)
    expect(
      await waited(
        desktopAt(() => 'a', late),
        0,
      ),
    ).toBe(0)
  })
})
