import {
  answer,
  bodyOf,
  changeBytes,
  changeResult,
  changeTree,
  isKnownPath,
  isKnownRequest,
  programOf,
  replaceInTree,
  replaceStatus,
} from '../../osworld/sabotage.ts'
import { defineSabotages, type SabotageBehavior } from '../behaviors.ts'
import type { ProxiedRequest } from '../sabotage.ts'
import { osworldFileSabotages } from './osworld-files.ts'
import { osworldInputSabotages } from './osworld-input.ts'
import { osworldProgramSabotages } from './osworld-programs.ts'

/** Faults of OSWorld's screen, pointer and tree with correct shapes. */
const screenSabotages = defineSabotages('osworld', {
  'has no terminal route': ['ready:probe', replaceStatus('/terminal', 200, 404)],
  'writes its platform in small letters': [
    'platform:name',
    changeBytes('/platform', (bytes) => Buffer.from(bytes.toString().toLowerCase())),
  ],
  'runs programs on another platform': [
    'platform:program',
    changeResult('platform.system()', (json) => {
      json.output = 'Windows\n'
    }),
  ],
  'calls its picture a JPEG': [
    'screen:picture',
    changeBytes('/screenshot', (bytes, { headers }) => {
      headers['content-type'] = 'image/jpeg'
      return bytes
    }),
  ],
  'scales its pictures': [
    'screen:dimensions',
    answer('POST /screen_size', (json) => {
      json.width *= 2
      json.height *= 2
    }),
  ],
  'has another screen for programs': [
    'screen:size',
    changeResult('pyautogui.size()', (json) => {
      json.output = 'Size(width=640, height=480)\n'
    }),
  ],
  'paints no pointer': ['screen:pointer', showsOldPictures((code) => code.includes('click'))],
  'shows its first picture for ever': ['screen:follows', showsOldPictures(() => false)],
  'is one pixel off with its pointer': [
    'pointer:position',
    answer('GET /cursor_position', (json) => {
      json[0]++
    }),
  ],
  'writes positions as plain tuples': [
    'pointer:program',
    changeResult('print(pyautogui.position())', (json) => {
      json.output = json.output.replace(/Point\(x=(\d+), y=(\d+)\)/, '($1, $2)')
    }),
  ],
  'always shows a terminal': [
    'terminal:text',
    answer('GET /terminal', (json) => {
      json.output = '$ '
    }),
  ],
  'never shows a terminal': [
    'terminal:text',
    answer('GET /terminal', (json) => {
      json.output = null
    }),
  ],
  'fails when three clients read the tree': ['company:readers', failsInCompany()],
  'knows every route': ['error:route', answersUnknown((request) => !isKnownPath(request))],
  'takes any method': ['error:method', answersUnknown((request) => isKnownPath(request) && !isKnownRequest(request))],
  'tells its score to everyone': [
    'extension:score',
    {
      changeRequest: (request) => {
        const body = bodyOf(request)
        if (body?.command?.[1] !== 'score') return
        body.command[3] = body.command[3].replace(/^1/, '0')
        request.body = Buffer.from(JSON.stringify(body))
      },
    },
  ],
  'leaves the tree open': ['tree:well-formed', replaceInTree('</desktop-frame>', '')],
  'calls its root desktop': ['tree:root', replaceInTree(/(<\/?)desktop-frame/g, '$1desktop')],
  'writes tags in capitals': ['tree:tags', replaceInTree(/(<\/?)check-box/g, '$1Check-Box')],
  'has a namespace of its own': ['tree:namespaces', replaceInTree('example.org/ns/action"', 'example.org/ns/deeds"')],
  'leaves out names of programs': ['tree:names', replaceInTree(/<application name="[^"]*"/g, '<application')],
  'writes states as numbers': ['tree:states', replaceInTree('st:sensitive="true"', 'st:sensitive="1"')],
  'writes states that are not set': ['tree:states', replaceInTree('st:sensitive="true"', 'st:sensitive="false"')],
  'has no state checked': ['tree:checked', replaceInTree(/ st:checked="true"/g, '')],
  'has no state focused': ['tree:focused', replaceInTree(/ st:focused="true"/g, '')],
  'focuses every field': [
    'tree:focused',
    changeTree((xml) => xml.replace(/ st:focused="true"/g, '').replace(/<entry /g, '<entry st:focused="true" ')),
  ],
  'writes tuples without a blank': ['tree:tuples', replaceInTree(/"\((\d+), (\d+)\)"/g, '"($1,$2)"')],
  'writes positions with fractions': ['tree:tuples', replaceInTree(/screencoord="\((\d+), /, 'screencoord="($1.0, ')],
  'gives hidden elements a position': ['tree:positions', replaceInTree(/(<frame[^>]*?) st:showing="true"/, '$1')],
  'gives positions without sizes': ['tree:boxes', replaceInTree(/ cp:size="[^"]*"/, '')],
  'has no smallest value': ['tree:value', replaceInTree(/ val:min="[^"]*"/g, '')],
  'shows the names of fields as their texts': [
    'tree:text',
    replaceInTree(/(<entry name="([^"]*)"[^>]*>)[^<]*/g, '$1$2'),
  ],
  'keeps object characters': ['tree:characters', replaceInTree('</label>', '\ufffc</label>')],
  'escapes texts twice': ['tree:markup', replaceInTree(/&(amp|lt|gt|quot);/g, '&amp;$1;')],
  'has a tree without end': [
    'tree:limits',
    replaceInTree('</application>', `${'<panel name="">'.repeat(55)}${'</panel>'.repeat(55)}</application>`),
  ],
  'has a row of 1100 elements': [
    'tree:limits',
    replaceInTree('</application>', `${'<panel name=""/>'.repeat(1100)}</application>`),
  ],
  'leaves out keys of actions': ['tree:actions', replaceInTree(/ act:\w+_kb="[^"]*"/, '')],
  'disables its controls': ['tree:kept', replaceInTree(/(<slider[^>]*?) st:enabled="true"/g, '$1')],
  'calls a check box a widget': ['tree:kept', replaceInTree(/(<\/?)check-box/g, '$1widget')],
  'has no active window': ['tree:windows', replaceInTree(/ st:active="true"/g, '')],
  'counts its reads': ['tree:steady', countsReads()],
})

/** All sabotages of OSWorld's server. */
export const osworldSabotages = [
  ...screenSabotages,
  ...osworldProgramSabotages,
  ...osworldInputSabotages,
  ...osworldFileSabotages,
]

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

function failsInCompany(): SabotageBehavior {
  let readers = 0
  return {
    changeRequest: ({ path }) => {
      if (path === '/accessibility') readers++
    },
    changeResponse: (response, { path }) => {
      if (path !== '/accessibility') return
      if (readers > 2) response.status = 500
      readers--
    },
  }
}

function answersUnknown(fits: (request: ProxiedRequest) => boolean): SabotageBehavior {
  return {
    changeResponse: (response, request) => {
      if (fits(request) && response.status >= 400) response.status = 200
    },
  }
}

function countsReads(): SabotageBehavior {
  let reads = 0
  return changeTree((xml) => `${xml}<!-- ${reads++} -->`)
}
