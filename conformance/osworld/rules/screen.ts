import assert from 'node:assert/strict'
import { assertAgree } from '../../compare/differences.ts'
import { comparePixels, crop, failShowing, type Pixels } from '../../compare/pixels.ts'
import { defineRules } from '../../suite/rules.ts'
import type { SabotageBehavior } from '../../suite/sabotage.ts'
import type { TestContext } from '../../suite/test-context.ts'
import { sources } from '../document.ts'
import { act, eventually, type Point, pointerOf, printed, screenSize, takeScreenshot } from '../driver.ts'
import { otherPoint } from '../input-driver.ts'
import { changeBytes, changeResult, onSuccessOf, programOf } from '../sabotage.ts'
import { centreOf, isChecked, readControl } from '../tree-driver.ts'

const PNG_START = '89504e470d0a1a0a'

/** The surroundings of a point that a pointer covers. */
function around(picture: Pixels, { x, y }: Point): Pixels {
  const [left, top] = [Math.max(0, x - 4), Math.max(0, y - 4)]
  const [width, height] = [Math.min(20, picture.width - left), Math.min(20, picture.height - top)]
  return crop(picture, { x: left, y: top, width, height })
}

/** Moves the pointer elsewhere, and returns the point. */
async function moveAway(context: TestContext): Promise<Point> {
  const point = await otherPoint(context)
  await act(context, `pyautogui.moveTo(${point.x}, ${point.y})`)
  return point
}

/** The screen and its pictures. */
export const screenRules = defineRules('screen', {
  picture: {
    level: 'MUST',
    text: 'GET /screenshot answers a PNG picture as image/png.',
    source: sources.server,
    basis: { states: 'GET /screenshot answers PNG bytes as image/png, whose first bytes the client checks.' },
    covers: ['OW-R6'],
    check: async ({ http }) => {
      const answer = await http.get('/screenshot')
      assert.match(answer.headers['content-type'] ?? '', /^image\/png(;|$)/)
      assert.equal(answer.bytes.subarray(0, 8).toString('hex'), PNG_START, 'the bytes are not those of a PNG picture')
    },
    sabotage: {
      'calls its picture a JPEG': changeBytes('/screenshot', (bytes, { headers }) => {
        headers['content-type'] = 'image/jpeg'
        return bytes
      }),
    },
  },

  dimensions: {
    level: 'SHOULD',
    text: 'The picture is as large as the screen.',
    source: sources.expected,
    basis: { because: 'Agents click at pixels of the picture; a scaled one would lead them astray.' },
    covers: ['OW-R6', 'OW-R9'],
    check: async (context) => {
      const { width, height } = await takeScreenshot(context)
      const size = await screenSize(context)
      assertAgree({ 'the picture': { width, height }, 'POST /screen_size': { width: size.width, height: size.height } })
    },
    sabotage: {
      'scales its pictures': onSuccessOf('POST /screen_size', (json) => {
        json.width *= 2
        json.height *= 2
      }),
    },
  },

  size: {
    level: 'MUST',
    text: 'POST /screen_size without a body answers the size that pyautogui.size() returns.',
    source: sources.server,
    basis: { states: 'POST /screen_size takes no body and answers width and height of the screen.' },
    covers: ['OW-R9', 'OW-F18'],
    needs: ['program:output'],
    check: async (context) => {
      const { width, height } = await screenSize(context)
      const size = await printed(context, 'import pyautogui; print(pyautogui.size())')
      assertAgree({ 'POST /screen_size': `Size(width=${width}, height=${height})\n`, 'pyautogui.size()': size })
    },
    sabotage: {
      'has another screen for programs': changeResult('pyautogui.size()', (json) => {
        json.output = 'Size(width=640, height=480)\n'
      }),
    },
  },

  pointer: {
    level: 'MUST',
    text: 'The picture shows the pointer.',
    source: sources.server,
    basis: { states: 'The pointer is pasted into the picture.' },
    covers: ['OW-R6'],
    check: async (context) => {
      const [one, other] = [await moveAway(context), await moveAway(context)]
      const picture = await takeScreenshot(context)
      await act(context, `pyautogui.moveTo(${one.x}, ${one.y})`)
      const shows = (moved: Pixels) =>
        [one, other].every((point) => comparePixels(around(picture, point), around(moved, point)).bounds !== undefined)
      const moved = await eventually(() => takeScreenshot(context), shows)
      assert.ok(shows(moved), 'the pictures of two pointer positions are equal there')
    },
    sabotage: {
      'paints no pointer': showsOldPictures((code) => code.includes('click')),
    },
  },

  follows: {
    level: 'SHOULD',
    text: 'The picture shows the effect of the last action.',
    source: sources.expected,
    basis: { because: 'Agents take one picture after each action.' },
    covers: ['OW-R6'],
    needs: ['tree:tuples', 'tree:names', 'program:prefix'],
    check: async (context) => {
      const { box } = await readControl(context, 'toggle')
      const { x, y } = centreOf(box)
      await act(context, `pyautogui.moveTo(${x}, ${y}); pyautogui.click()`)
      const wasChecked = isChecked(await readControl(context, 'toggle'))
      const before = crop(await takeScreenshot(context), box)
      await act(context, 'pyautogui.click()')
      const isOther = (picture: Pixels) => comparePixels(before, picture).bounds !== undefined
      const after = await eventually(async () => crop(await takeScreenshot(context), box), isOther)
      if (isOther(after)) return
      const isChanged = isChecked(await readControl(context, 'toggle')) !== wasChecked
      const told = isChanged ? 'although /accessibility shows that it changed' : 'and neither does /accessibility'
      const pictures = { 'before the click': before, 'after the click': after }
      failShowing(`the picture of the check box does not change after a click, ${told}`, pictures)
    },
    sabotage: {
      'shows its first picture for ever': showsOldPictures(() => false),
    },
  },
})

/** The position of the pointer. */
export const pointerRules = defineRules('pointer', {
  position: {
    level: 'MUST',
    text: 'GET /cursor_position answers the point that the pointer was moved to.',
    source: sources.server,
    basis: { states: 'GET /cursor_position answers an array of x and y.' },
    covers: ['OW-R17'],
    needs: ['program:prefix'],
    check: async (context) => {
      const point = await moveAway(context)
      assert.deepEqual(await pointerOf(context), point, 'the position of the pointer')
    },
    sabotage: {
      'is one pixel off with its pointer': onSuccessOf('GET /cursor_position', (json) => {
        json[0]++
      }),
    },
  },

  program: {
    level: 'MUST',
    text: 'pyautogui.position() returns what /cursor_position answers.',
    source: sources.server,
    basis: { states: 'GET /cursor_position answers the position that pyautogui returns.' },
    covers: ['OW-R17', 'OW-F18'],
    needs: ['program:output', 'pointer:position'],
    check: async (context) => {
      const { x, y } = await pointerOf(context)
      const position = await printed(context, 'import pyautogui\nprint(pyautogui.position())')
      assertAgree({ 'GET /cursor_position': `Point(x=${x}, y=${y})\n`, 'pyautogui.position()': position })
    },
    sabotage: {
      'writes positions as plain tuples': changeResult('print(pyautogui.position())', (json) => {
        json.output = json.output.replace(/Point\(x=(\d+), y=(\d+)\)/, '($1, $2)')
      }),
    },
  },
})

/** Shows a picture again until a program renews it. */
function showsOldPictures(renews: (code: string) => boolean): SabotageBehavior {
  let picture: Buffer | undefined
  return {
    changeRequest: (request) => {
      if (renews(programOf(request) ?? '')) picture = undefined
    },
    changeResponse: (response, { path }) => {
      if (path !== '/screenshot') return
      picture ??= response.body
      response.body = picture
    },
  }
}
