import type { Requirements } from '../../requirement.ts'

const CLIENT = 'OSWorld, client'

/** The actions of computer_13, as the client sends them. */
export const actionRequirements = {
  'osworld:action:move-to': {
    level: 'MUST',
    text: 'MOVE_TO moves the pointer, with a duration and a tween.',
    source: CLIENT,
    basis: {
      states:
        'The client translates the action to moveTo with x, y, a duration below one second and one of five tweens.',
    },
    covers: ['OW-A1', 'OW-F3'],
  },
  'osworld:action:click': {
    level: 'MUST',
    text: 'CLICK with keywords presses what is there.',
    source: CLIENT,
    basis: { states: 'The client translates the action to click with the keywords button, x, y and clicks.' },
    covers: ['OW-A2', 'OW-F4'],
  },
  'osworld:action:click-bare': {
    level: 'MUST',
    text: 'CLICK without parameters presses what is below the pointer.',
    source: CLIENT,
    basis: { states: 'The client translates the action to click() when it has no parameters.' },
    covers: ['OW-A2', 'OW-F4'],
  },
  'osworld:action:mouse-down': {
    level: 'MUST',
    text: 'MOUSE_DOWN begins a drag.',
    source: CLIENT,
    basis: { states: 'The client translates the action to mouseDown, with or without button.' },
    covers: ['OW-A3', 'OW-F11'],
  },
  'osworld:action:mouse-up': {
    level: 'MUST',
    text: 'MOUSE_UP ends a drag.',
    source: CLIENT,
    basis: { states: 'The client translates the action to mouseUp, with or without button.' },
    covers: ['OW-A4', 'OW-F11'],
  },
  'osworld:action:right-click': {
    level: 'MUST',
    text: 'RIGHT_CLICK opens the menu of a field.',
    source: CLIENT,
    basis: { states: 'The client translates the action to rightClick with the keywords x and y.' },
    covers: ['OW-A5', 'OW-F12'],
  },
  'osworld:action:double-click': {
    level: 'MUST',
    text: 'DOUBLE_CLICK selects a word.',
    source: CLIENT,
    basis: { states: 'The client translates the action to doubleClick with the keywords x and y.' },
    covers: ['OW-A6', 'OW-F9'],
  },
  'osworld:action:drag-to': {
    level: 'MUST',
    text: 'DRAG_TO drags from where the pointer is.',
    source: CLIENT,
    basis: {
      states: 'The client translates the action to dragTo with x, y, duration=1.0, button="left" and mouseDownUp=True.',
    },
    covers: ['OW-A7', 'OW-F6'],
  },
  'osworld:action:scroll': {
    level: 'MUST',
    text: 'SCROLL scrolls on both axes by two requests.',
    source: CLIENT,
    basis: { states: 'The client translates the action to hscroll and vscroll, as two requests.' },
    covers: ['OW-A8', 'OW-F13', 'OW-F14'],
  },
  'osworld:action:typing': {
    level: 'MUST',
    text: 'TYPING types a text with quotes and backslashes.',
    source: CLIENT,
    basis: { states: 'The client translates the action to typewrite with the repr of the text.' },
    covers: ['OW-A9', 'OW-F10', 'OW-P6'],
  },
  'osworld:action:press': {
    level: 'MUST',
    text: 'PRESS presses a key.',
    source: CLIENT,
    basis: { states: 'The client translates the action to press with the name of the key.' },
    covers: ['OW-A10', 'OW-F2'],
  },
  'osworld:action:key-down': {
    level: 'MUST',
    text: 'KEY_DOWN holds a key for the following actions.',
    source: CLIENT,
    basis: { states: 'The client translates the action to keyDown with the name of the key.' },
    covers: ['OW-A11', 'OW-F8'],
  },
  'osworld:action:key-up': {
    level: 'MUST',
    text: 'KEY_UP releases a held key.',
    source: CLIENT,
    basis: { states: 'The client translates the action to keyUp with the name of the key.' },
    covers: ['OW-A12', 'OW-F8'],
  },
  'osworld:action:hotkey': {
    level: 'MUST',
    text: 'HOTKEY presses keys together.',
    source: CLIENT,
    basis: { states: 'The client translates the action to hotkey with the names of the keys.' },
    covers: ['OW-A13', 'OW-F1'],
  },
} as const satisfies Requirements
