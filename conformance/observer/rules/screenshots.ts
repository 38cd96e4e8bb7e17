import assert from 'node:assert/strict'
import * as z from 'zod'
import { assertAgree } from '../../compare/differences.ts'
import { assertSamePixels, comparePixels, crop, decode, encode, failShowing } from '../../compare/pixels.ts'
import { inside, isEmpty, overlap } from '../../compare/rectangle.ts'
import { fail, notOffered } from '../../probe/failure.ts'
import type { HttpProbe } from '../../probe/http.ts'
import { defineRules } from '../../suite/rules.ts'
import type { SabotageBehavior } from '../../suite/sabotage.ts'
import { sources } from '../document.ts'
import {
  fillNameField,
  getElementByName,
  getFrontWindow,
  getTree,
  getWindows,
  parseSuccess,
  showScenario,
  toQuery,
} from '../driver.ts'
import { changeQuery, onSuccessOf, serveStale } from '../sabotage.ts'
import { Bounds, Monitors, Screenshot } from '../shapes.ts'
import { nodesOf } from '../tree.ts'

/** The decoded picture of a window, or of the screen. */
async function shoot(http: HttpProbe, parameters: Readonly<Record<string, string | number>> = {}) {
  const path = `/api/screenshot${toQuery(parameters)}`
  return decode(parseSuccess(await http.get(path), Screenshot).data, path)
}

const FullScreenshot = Screenshot.extend({ width: z.int(), height: z.int() })

/** The decoded full screenshot, and its reported size. */
async function shootFull(http: HttpProbe) {
  const { data, width, height } = parseSuccess(await http.get('/api/full_screenshot'), FullScreenshot)
  return { picture: decode(data, 'the full screenshot'), width, height }
}

/** Pictures of the screen. */
export const screenshotRules = defineRules('screenshot', ['screenshot:png'], {
  png: {
    level: 'MUST',
    text: 'A screenshot is a PNG picture in base64.',
    source: `${sources.endpoints}, GET /api/screenshot`,
    basis: { states: 'The answer has format png, encoding base64 and data.' },
    covers: ['O-E5'],
    check: async ({ http }) => {
      for (const { index } of await getWindows(http)) {
        const { width, height } = await shoot(http, { window_index: index })
        assert.ok(width > 0 && height > 0, `the picture has ${width} × ${height} pixels`)
      }
    },
    sabotage: {
      'sends a JPEG': onSuccessOf('GET /api/screenshot', (json) => {
        json.data = Buffer.from([0xff, 0xd8, 0xff, 0xe0]).toString('base64')
      }),
    },
  },

  window: {
    level: 'SHOULD',
    text: 'The picture of a window has the size of the window.',
    source: `${sources.endpoints}, GET /api/screenshot`,
    basis: {
      because:
        'The document does not specify the content of a picture of a window; its size lets clients map coordinates.',
    },
    covers: ['O-E5', 'O-R1'],
    check: async ({ http }) => {
      for (const { index, bounds } of await getWindows(http)) {
        const { width, height } = await shoot(http, { window_index: index })
        assertAgree(
          { 'the picture': { width, height }, 'GET /api/windows': { width: bounds.width, height: bounds.height } },
          'the size',
        )
      }
    },
    sabotage: {
      'shows the screen for a window': {
        changeRequest: (request) => {
          if (request.path.startsWith('/api/screenshot?')) request.path = '/api/screenshot'
        },
      },
    },
  },

  screen: {
    level: 'MUST',
    text: 'Without a window the whole primary monitor is shown.',
    source: `${sources.endpoints}, GET /api/screenshot`,
    basis: { states: 'Without window_index the full primary monitor is captured.' },
    covers: ['O-E5'],
    needs: ['screenshot:png', 'monitors:primary'],
    check: async ({ http }) => {
      const { monitors } = parseSuccess(await http.get('/api/monitors'), Monitors)
      if (monitors.length === 0) notOffered('no monitor is listed')
      const primary = monitors.find((monitor) => monitor.primary) ?? fail('prerequisite: no primary monitor is known')
      const { width, height } = await shoot(http)
      assertAgree(
        {
          'the picture': { width, height },
          'GET /api/monitors': { width: primary.physical_bounds.width, height: primary.physical_bounds.height },
        },
        'the size',
      )
    },
    sabotage: {
      'shows a window for the screen': {
        changeRequest: (request) => {
          if (request.path === '/api/screenshot') request.path += '?window_index=0'
        },
      },
    },
  },

  stable: {
    level: 'SHOULD',
    text: 'Two pictures of a screen on which nothing happened have the same pixels.',
    source: `${sources.endpoints}, GET /api/screenshot`,
    basis: { because: 'The document does not ask for it; pictures that differ without a change cannot be compared.' },
    covers: ['O-E5'],
    tier: 'full',
    check: async ({ http }) => {
      const { index } = await getFrontWindow(http)
      assertSamePixels(
        await shoot(http, { window_index: index }),
        await shoot(http, { window_index: index }),
        'nothing happened',
      )
    },
    sabotage: {
      'shows windows by turns': byTurns(),
    },
  },

  follows: {
    level: 'SHOULD',
    text: 'A picture taken after an element changed differs where the element is, and nowhere far from it.',
    source: `${sources.endpoints}, GET /api/screenshot`,
    basis: { because: 'A picture shows the screen now; a mock server may paint one picture for all states.' },
    covers: ['O-E5'],
    tier: 'full',
    needs: ['element:click'],
    check: async (context) => {
      const { http } = context
      await showScenario(context)
      const { index, bounds } = await getFrontWindow(http)
      const before = await shoot(http, { window_index: index })
      await fillNameField(http, context.random.word(12))
      const after = await shoot(http, { window_index: index })
      const { bounds: changed, picture } = comparePixels(before, after)
      const inWindow = (box: Bounds) => ({ ...box, x: box.x - bounds.x, y: box.y - bounds.y })
      const field = inWindow((await getElementByName(http, 'Name')).bounds)
      const pictures = { before: { of: before, box: field }, after: { of: after, box: field }, difference: picture }
      if (!changed) failShowing('the picture did not change with the value of the element in the box', pictures)
      if (!overlap(changed, field)) failShowing('what changed in the picture is not where the element is', pictures)
      const list = inWindow((await getElementByName(http, 'Items')).bounds)
      if (overlap(changed, list)) failShowing('the picture changed far away from the element', pictures)
    },
    sabotage: {
      'shows an old picture': serveStale('/api/screenshot?'),
    },
  },

  'screen-follows': {
    level: 'SHOULD',
    text: 'Pictures of the whole screen taken after an element on it changed differ too.',
    source: `${sources.endpoints}, GET /api/screenshot`,
    basis: { because: 'A picture shows the screen now; a mock server may paint one picture for all states.' },
    covers: ['O-E5', 'O-E50'],
    tier: 'full',
    needs: ['screenshot:png', 'monitors:primary'],
    check: async (context) => {
      const { http } = context
      await showScenario(context)
      const look = async () => [await shoot(http), (await shootFull(http)).picture] as const
      const before = await look()
      await fillNameField(http, context.random.word(12))
      const after = await look()
      for (const [place, name] of ['the picture of the screen', 'the full screenshot'].entries()) {
        const pictures = { before: before[place]!, after: after[place]! }
        if (!comparePixels(pictures.before, pictures.after).bounds)
          failShowing(`${name} did not change with the value of an element on it`, pictures)
      }
    },
    sabotage: {
      'shows an old screen': serveStale('/api/full_screenshot'),
    },
  },

  behind: {
    level: 'SHOULD',
    text: 'The picture of a window that is not in front, and that nothing covers, shows what the screen shows there.',
    source: `${sources.endpoints}, GET /api/screenshot`,
    basis: { because: 'The document does not specify how a window that is not in front is captured.' },
    covers: ['O-E5'],
    tier: 'full',
    check: async (context) => {
      const { http } = context
      await showScenario(context)
      const windows = await getWindows(http)
      const free = windows.filter(({ bounds, focused }, at) => {
        const others = windows.filter((_, place) => place !== at)
        return !focused && others.every((other) => !overlap(bounds, other.bounds))
      })
      assert.ok(free.length > 0, 'prerequisite: every window behind the focused one touches another')
      const screen = await shoot(http)
      for (const { index, title, bounds } of free)
        assertSamePixels(crop(screen, bounds), await shoot(http, { window_index: index }), `the window "${title}"`)
    },
    sabotage: {
      'shows nothing of the windows behind': onSuccessOf('GET /api/screenshot', (json, { path }) => {
        if (!/window_index=[1-9]/.test(path)) return
        const { width, height, data } = decode(json.data, path)
        json.data = encode({ width, height, data: data.fill(255) })
      }),
    },
  },

  cropped: {
    level: 'SHOULD',
    text: 'A cropped screenshot shows the element, pixel for pixel as the whole one does.',
    source: sources.reference,
    basis: { because: 'The reference server has the route; the document does not list it.' },
    covers: ['O-E48'],
    tier: 'sdk',
    check: async ({ http, random }) => {
      const { window_uid, index, bounds } = await getFrontWindow(http)
      const { tree } = await getTree(http, { window_uid })
      const visible = nodesOf(tree).filter((node) => !isEmpty(node.bounds) && inside(bounds, node.bounds))
      const { id: element_id, bounds: box } = random.pick(visible)
      const answer = await http.get(`/api/screenshot/cropped${toQuery({ window_uid, element_id })}`)
      const cropped = parseSuccess(answer, Screenshot.extend({ source_bbox: Bounds }))
      const part = { ...box, x: box.x - bounds.x, y: box.y - bounds.y }
      const { x, y, width, height } = cropped.source_bbox
      assert.deepEqual({ x, y, width, height }, part, 'the region')
      const whole = await shoot(http, { window_index: index })
      assertSamePixels(crop(whole, part), decode(cropped.data, answer.what), `the element ${element_id}`)
    },
    sabotage: {
      'crops elsewhere': onSuccessOf('GET /api/screenshot/cropped', (json) => {
        if (json.source_bbox) json.source_bbox.x += 3
      }),
    },
  },

  'cropped-follows': {
    level: 'SHOULD',
    text: 'A cropped screenshot taken after its element changed differs.',
    source: sources.reference,
    basis: { because: 'The reference server has the route; the document does not list it.' },
    covers: ['O-E48'],
    tier: 'full',
    check: async (context) => {
      const { http } = context
      await showScenario(context)
      const { window_uid } = await getFrontWindow(http)
      const { id: element_id } = await getElementByName(http, 'Name')
      const path = `/api/screenshot/cropped${toQuery({ window_uid, element_id })}`
      const look = async () => decode(parseSuccess(await http.get(path), Screenshot).data, path)
      const before = await look()
      await fillNameField(http, context.random.word(12))
      const after = await look()
      if (!comparePixels(before, after).bounds)
        failShowing('the cropped picture did not change with the value of its element', { before, after })
    },
    sabotage: {
      'crops an old picture': serveStale('/api/screenshot/cropped'),
    },
  },

  full: {
    level: 'SHOULD',
    text: 'A full screenshot reports the size of its picture.',
    source: sources.reference,
    basis: { because: 'The reference server has the route; the document does not list it.' },
    covers: ['O-E50'],
    tier: 'sdk',
    check: async ({ http }) => {
      const { picture, width, height } = await shootFull(http)
      assertAgree(
        { 'the answer': { width, height }, 'the picture': { width: picture.width, height: picture.height } },
        'the size',
      )
    },
    sabotage: {
      'lies about the size of the screen': onSuccessOf('GET /api/full_screenshot', (json) => {
        json.width++
      }),
    },
  },
})

/** Every other picture of a window is that of another one. */
function byTurns(): SabotageBehavior {
  let count = 0
  const other = changeQuery('window_index', '1')
  return {
    changeRequest: (request) => {
      if (request.path.startsWith('/api/screenshot?') && count++ % 2 === 1) other.changeRequest?.(request)
    },
  }
}
