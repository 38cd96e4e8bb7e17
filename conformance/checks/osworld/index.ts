import './files.ts'
import './keyboard.ts'
import './pointer.ts'
import './programs.ts'
import './screen.ts'
import './scripts.ts'
import './scrolling.ts'
import './tree.ts'
import './windows.ts'
import assert from 'node:assert/strict'
import type { TestContext } from '../../run/test-context.ts'

/** Checks that this is a control server of OSWorld: it answers pictures, and the pointer as an array. */
export async function handshake({ http }: TestContext): Promise<void> {
  const picture = await http.get('/screenshot')
  assert.equal(picture.status, 200, `GET /screenshot answers ${picture.status}`)
  const pointer = await http.get('/cursor_position')
  assert.equal(pointer.status, 200, `GET /cursor_position answers ${pointer.status}`)
  if (!Array.isArray(pointer.json()))
    assert.fail(`GET /cursor_position answers no array: ${pointer.text.slice(0, 200)}`)
}
