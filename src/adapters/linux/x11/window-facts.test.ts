import { describe, expect, it } from 'vitest'
import type { Client, Done, Event } from 'x11'
import { changedFacts, openWindowFacts } from './window-facts.ts'

const ROOT = 1

/** A connection whose server answers at once, and what was sent to it. */
function connection() {
  const sent: string[] = []
  let listener: (event: Event) => void = () => {}
  const geometry = { depth: 24, xPos: 3, yPos: 4, width: 5, height: 6, borderWidth: 0 }
  const sendGeometry = (window: number, done: Done<unknown>) => {
    sent.push(`geometry ${window}`)
    done(window === 404 ? new Error('BadWindow') : undefined, geometry)
  }
  const sendProperty = (_remove: 0, window: number, atom: number, ...rest: [0, 0, number, Done<unknown>]) => {
    sent.push(`property ${window} ${atom}`)
    rest[3](undefined, { type: 31, format: 8, data: Buffer.from('title') })
  }
  const select = (window: number) => sent.push(`select ${window}`)
  const on = (_name: 'event', listen: (event: Event) => void) => {
    listener = listen
  }
  const requests = { GetGeometry: sendGeometry, GetProperty: sendProperty, ChangeWindowAttributes: select }
  const client = { on, ...requests } as unknown as Client
  const tryRequest = <T>(send: (done: Done<T>) => void) =>
    new Promise<T | undefined>((resolve) => {
      send((error, value) => {
        resolve(error ? undefined : value)
        return true
      })
    })
  const facts = openWindowFacts({ client, tryRequest, atom: async () => 39 }, ROOT)
  return { facts, sent, tell: (event: Event) => listener(event) }
}

describe('facts about windows', () => {
  it('[LX11] are requested once, until an event says that they have changed', async () => {
    const { facts, sent, tell } = connection()
    await facts.geometry(7)
    await facts.geometry(7)
    expect(await facts.property(7, 'WM_NAME')).toEqual(Buffer.from('title'))
    await facts.property(7, 'WM_NAME')
    expect(sent).toEqual(['select 1', 'select 7', 'geometry 7', 'select 7', 'property 7 39'])
    tell({ name: 'PropertyNotify', wid: 7, atom: 40 })
    tell({ name: 'ConfigureNotify', wid: ROOT, wid1: 7 })
    await facts.geometry(7)
    await facts.property(7, 'WM_NAME')
    tell({ name: 'PropertyNotify', wid: 7, atom: 39 })
    await facts.property(7, 'WM_NAME')
    expect(sent.slice(5)).toEqual(['geometry 7', 'property 7 39'])
  })

  it('[LX11] of a closed window are forgotten, also when another one takes its number', async () => {
    const { facts, sent, tell } = connection()
    await facts.geometry(7)
    tell({ name: 'DestroyNotify', event: ROOT, wid: 7 })
    await facts.geometry(7)
    await facts.geometry(404)
    await facts.geometry(404)
    expect(sent).toEqual([
      'select 1',
      ...['select 7', 'geometry 7', 'select 7', 'geometry 7'],
      ...['select 404', 'geometry 404', 'select 404', 'geometry 404'],
    ])
  })

  it.each<[string, Event, ReturnType<typeof changedFacts>]>([
    ['a new child', { name: 'CreateNotify', parent: 1, wid: 7 }, [[1, 'children']]],
    ['a mapped window', { name: 'MapNotify', event: 1, wid: 7 }, [[7, 'attributes']]],
    ['an unmapped window', { name: 'UnmapNotify', event: 7, wid: 7 }, [[7, 'attributes']]],
    ['a raised window', { name: 'CirculateNotify', event: 1, wid: 7 }, [[1, 'children']]],
    [
      'a window in another one',
      { name: 'ReparentNotify', event: 1, wid: 7, parent: 8 },
      [
        [1, 'children'],
        [8, 'children'],
        [7, 'parent'],
        [7, 'geometry'],
      ],
    ],
    ['input', { name: 'KeyPress', wid: 7 }, []],
  ])('[LX11] change with %s', (_, event, expected) => {
    expect(changedFacts(event)).toEqual(expected)
  })
})
