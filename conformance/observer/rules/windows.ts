import assert from 'node:assert/strict'
import * as z from 'zod'
import { assertAgree } from '../../compare/differences.ts'
import { inside, overlap } from '../../compare/rectangle.ts'
import { fail } from '../../probe/failure.ts'
import type { HttpProbe } from '../../probe/http.ts'
import { defineRules } from '../../suite/rules.ts'
import { sources } from '../document.ts'
import { getFrontWindow, getWindows, parseSuccess, showScenario, toQuery } from '../driver.ts'
import { onSuccessOf, serveStale } from '../sabotage.ts'
import { Bounds, Health, Windows } from '../shapes.ts'

const VisibleAreas = z.looseObject({ visible_regions: z.array(Bounds) })

async function visibleRegions(http: HttpProbe, parameters: Parameters<typeof toQuery>[0]) {
  return parseSuccess(await http.get(`/api/visible_areas${toQuery(parameters)}`), VisibleAreas).visible_regions
}

let counter = 0

/** The list of windows. */
export const windowsRules = defineRules('windows', {
  count: {
    level: 'MUST',
    text: 'The count is the number of windows listed, and each index is its place in the list.',
    source: `${sources.endpoints}, GET /api/windows`,
    basis: { states: 'The answer has a count, and index is the position in the array.' },
    covers: ['O-E1', 'O-R6'],
    check: async ({ http }) => {
      const { count, windows } = parseSuccess(await http.get('/api/windows'), Windows)
      assertAgree({ count: count, 'the list of windows': windows.length })
      assert.deepEqual(
        windows.map((window) => window.index),
        windows.map((_, place) => place),
        'the indexes of the windows',
      )
    },
    sabotage: {
      'counts one window too many': onSuccessOf('GET /api/windows', (json) => {
        json.count++
      }),
      'numbers windows from 1': onSuccessOf('GET /api/windows', (json) => {
        for (const one of json.windows) one.index++
      }),
    },
  },

  order: {
    level: 'MUST',
    text: 'The focused window comes first, the others by title.',
    source: `${sources.endpoints}, GET /api/windows`,
    basis: { states: 'Windows are sorted: the focused one first, then alphabetically by title.' },
    covers: ['O-E1'],
    check: async ({ http }) => {
      const windows = await getWindows(http)
      const focused = windows.filter((window) => window.focused)
      const others = windows.filter((window) => !window.focused)
      assert.deepEqual(windows.slice(0, focused.length), focused, 'the focused window is not the first')
      const titles = others.map((window) => window.title)
      const fold = (text: string) => text.toLowerCase()
      const sorted = (key: (text: string) => string) =>
        [...titles].sort((one, other) => (key(one) < key(other) ? -1 : key(one) > key(other) ? 1 : 0))
      const isSorted = [fold, String].some((key) => JSON.stringify(sorted(key)) === JSON.stringify(titles))
      assert.ok(isSorted, `the titles are not in alphabetical order: ${titles.join(' | ')}`)
    },
    sabotage: {
      'lists windows backwards': onSuccessOf('GET /api/windows', (json) => {
        json.windows.reverse()
      }),
    },
  },

  focus: {
    level: 'MUST',
    text: 'At most one window is focused.',
    source: `${sources.endpoints}, GET /api/windows`,
    basis: { states: 'focused is true for the foreground window.' },
    covers: ['O-E1'],
    check: async ({ http }) => {
      const focused = (await getWindows(http)).filter((window) => window.focused)
      assert.ok(focused.length <= 1, `${focused.length} windows are focused`)
    },
    sabotage: {
      'focuses every window': onSuccessOf('GET /api/windows', (json) => {
        for (const one of json.windows) one.focused = true
      }),
    },
  },

  uids: {
    level: 'MUST',
    text: 'Each window has its own window_uid, which is stable while nothing happens.',
    source: `${sources.version2}, GET /api/windows`,
    basis: { states: 'Version 2 gives each window a window_uid; the index may shift between calls.' },
    covers: ['O-E1', 'O-R6'],
    check: async ({ http }) => {
      const uids = async () => (await getWindows(http)).map((window) => window.window_uid)
      const [once, again] = [await uids(), await uids()]
      assert.equal(new Set(once).size, once.length, 'a window_uid repeats')
      assert.deepEqual(again, once, 'the uids changed by themselves')
    },
    sabotage: {
      'gives windows new uids each time': onSuccessOf('GET /api/windows', (json) => {
        for (const one of json.windows) one.window_uid += counter++
      }),
    },
  },

  mock: {
    level: 'MUST',
    text: 'A synthetic desktop reports is_mock.',
    source: `${sources.endpoints}, GET /api/windows`,
    basis: { states: 'is_mock is true when the server runs with --mock.' },
    covers: ['O-E1'],
    check: async ({ http }) => {
      const { is_mock } = parseSuccess(await http.get('/api/windows'), Windows)
      const { adapter } = parseSuccess(await http.get('/api/healthz'), Health)
      assertAgree(
        { is_mock: is_mock, 'the adapter of healthz': z.string().parse(adapter) === 'MockAdapter' },
        'whether it is the MockAdapter',
      )
    },
    sabotage: {
      'hides that it is synthetic': onSuccessOf('GET /api/windows', (json) => {
        json.is_mock = false
      }),
    },
  },
})

/** Visible areas. */
export const visibleRules = defineRules('visible', {
  regions: {
    level: 'SHOULD',
    text: 'The visible regions of a window lie within it and do not overlap.',
    source: sources.reference,
    basis: { because: 'The reference server has the route; the document does not list it.' },
    covers: ['O-E51'],
    tier: 'sdk',
    check: async ({ http }) => {
      for (const { index, bounds } of await getWindows(http)) {
        const regions = await visibleRegions(http, { window_index: index })
        regions.forEach((region, place) => {
          assert.ok(inside(bounds, region), 'a region sticks out of its window')
          for (const other of regions.slice(place + 1)) assert.ok(!overlap(region, other), 'two regions overlap')
        })
      }
    },
    sabotage: {
      'sees regions outside the window': onSuccessOf('GET /api/visible_areas', (json) => {
        for (const one of json.visible_regions) one.x -= 500
      }),
    },
  },

  follows: {
    level: 'SHOULD',
    text: 'The visible area of a covered window changes when it comes to the front.',
    source: sources.reference,
    basis: { because: 'The reference server has the route; the document does not list it.' },
    covers: ['O-E51'],
    tier: 'full',
    check: async (context) => {
      const { http } = context
      await showScenario(context)
      const front = await getFrontWindow(http)
      const covered =
        (await getWindows(http)).find(({ focused, bounds }) => !focused && overlap(bounds, front.bounds)) ??
        fail('prerequisite: the focused window covers no other')
      const look = () => visibleRegions(http, { window_uid: covered.window_uid })
      const before = await look()
      parseSuccess(
        await http.get(`/api/bring_to_foreground${toQuery({ window_uid: covered.window_uid })}`),
        z.looseObject({}),
      )
      assert.notDeepEqual(await look(), before, `the visible area of "${covered.title}" is the same in front`)
    },
    sabotage: {
      'sees what was visible once': serveStale('/api/visible_areas'),
    },
  },
})
