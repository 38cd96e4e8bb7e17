import type { Requirements } from '../../requirement.ts'

const SERVER = 'OSWorld, control server'
const CLIENT = 'OSWorld, client'
const EXPECTED = 'what most agents expect'

/** Readiness, the picture of the screen, the pointer and the terminal. */
export const screenRequirements = {
  'osworld:ready:probe': {
    level: 'MUST',
    text: 'GET /screenshot and GET /terminal answer on a new connection.',
    source: CLIENT,
    basis: { states: 'The provider waits until GET /screenshot answers 200, and the set-up polls GET /terminal.' },
    covers: ['OW-C1', 'OW-R6', 'OW-R7'],
  },
  'osworld:platform:name': {
    level: 'MUST',
    text: 'GET /platform answers Linux, Windows or Darwin as text.',
    source: SERVER,
    basis: { states: 'GET /platform answers the text Linux, Windows or Darwin.' },
    covers: ['OW-R16'],
    tier: 'sdk',
  },
  'osworld:platform:program': {
    level: 'MUST',
    text: 'A program that prints platform.system() prints what /platform answers.',
    source: CLIENT,
    basis: { states: 'The client learns the platform from a program that prints platform.system().' },
    covers: ['OW-C3', 'OW-P9'],
  },
  'osworld:screen:picture': {
    level: 'MUST',
    text: 'GET /screenshot answers a PNG picture as image/png.',
    source: SERVER,
    basis: { states: 'GET /screenshot answers PNG bytes as image/png, whose first bytes the client checks.' },
    covers: ['OW-R6'],
  },
  'osworld:screen:dimensions': {
    level: 'SHOULD',
    text: 'The picture is as large as the screen.',
    source: EXPECTED,
    basis: { because: 'Agents click at pixels of the picture; a scaled one would lead them astray.' },
    covers: ['OW-R6', 'OW-R9'],
  },
  'osworld:screen:size': {
    level: 'MUST',
    text: 'POST /screen_size without a body answers the size that pyautogui.size() returns.',
    source: SERVER,
    basis: { states: 'POST /screen_size takes no body and answers width and height of the screen.' },
    covers: ['OW-R9', 'OW-F18'],
  },
  'osworld:screen:pointer': {
    level: 'MUST',
    text: 'The picture shows the pointer.',
    source: SERVER,
    basis: { states: 'The pointer is pasted into the picture.' },
    covers: ['OW-R6'],
  },
  'osworld:screen:follows': {
    level: 'SHOULD',
    text: 'The picture shows the effect of the last action.',
    source: EXPECTED,
    basis: { because: 'Agents take one picture after each action.' },
    covers: ['OW-R6'],
  },
  'osworld:pointer:position': {
    level: 'MUST',
    text: 'GET /cursor_position answers the point that the pointer was moved to.',
    source: SERVER,
    basis: { states: 'GET /cursor_position answers an array of x and y.' },
    covers: ['OW-R17'],
  },
  'osworld:pointer:program': {
    level: 'MUST',
    text: 'pyautogui.position() returns what /cursor_position answers.',
    source: SERVER,
    basis: { states: 'GET /cursor_position answers the position that pyautogui returns.' },
    covers: ['OW-R17', 'OW-F18'],
  },
  'osworld:terminal:text': {
    level: 'MUST',
    text: 'GET /terminal answers the text of the focused terminal in the tree, or null without one.',
    source: SERVER,
    basis: {
      states: 'output is the text of the focused terminal in the active frame of gnome-terminal-server, else null.',
    },
    covers: ['OW-R7', 'OW-T12'],
  },
  'osworld:company:readers': {
    level: 'SHOULD',
    text: 'Several clients read the picture, the pointer and the tree at once.',
    source: EXPECTED,
    basis: {
      because: 'A viewer or a recorder may read beside the agent; parallel reads of the tree crash some servers.',
    },
    covers: ['OW-C5', 'OW-R6', 'OW-R8', 'OW-R17'],
  },
  'osworld:error:route': {
    level: 'SHOULD',
    text: 'An unknown route answers 404.',
    source: EXPECTED,
    basis: { because: 'The document lists its routes and leaves others to the web framework.' },
    covers: ['OW-X2'],
  },
  'osworld:error:method': {
    level: 'SHOULD',
    text: 'A route answers 404 or 405 to other methods than its own.',
    source: EXPECTED,
    basis: { because: 'The document gives one method for each route and leaves others to the web framework.' },
    covers: ['OW-X2'],
  },
  'osworld:extension:score': {
    level: 'MAY',
    text: 'The score of the scenario is printed to the holder of its secret only.',
    source: 'Backlot, docs/osworld.md',
    basis: {
      because: 'An extension: tasks select a scenario and read its score by commands, so that runners can score.',
    },
    covers: ['OW-B1'],
    tier: 'full',
  },
} as const satisfies Requirements
