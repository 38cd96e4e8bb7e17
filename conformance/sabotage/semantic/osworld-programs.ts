import {
  answer,
  bodyOf,
  changeBody,
  changeProgram,
  changeResult,
  programOf,
  replaceInProgram,
  replaceStatus,
} from '../../osworld/sabotage.ts'
import { defineSabotages, type SabotageBehavior } from '../behaviors.ts'

/** Faults in running commands and programs, with correct shapes. */
export const osworldProgramSabotages = defineSabotages('osworld', {
  'cuts the last newline of an output': [
    'program:output',
    answer('POST /execute', (json) => {
      json.output = json.output.trimEnd()
    }),
  ],
  'knows no prefix': ['program:prefix', replaceInProgram('import pyautogui; import time;', 'import no_such_module;')],
  'sets up without an output': [
    'program:alias',
    answer('POST /setup/execute', (json) => {
      json.output = ''
    }),
  ],
  'does not split a text into words': [
    'program:text',
    changeBody('/execute', (body) => {
      if (typeof body.command === 'string' && !body.shell) body.command = [body.command]
    }),
  ],
  'has no shell': [
    'program:shell',
    changeBody('/execute', (body) => {
      if (body.shell) body.command = `no-shell ${body.command}`
    }),
  ],
  'shows exceptions without a traceback': [
    'program:error',
    answer('POST /execute', (json) => {
      json.error = json.error.replace(/^Traceback[\s\S]*?\n(?=\w+Error)/, '')
    }),
  ],
  'calls exceptions successes': [
    'program:error',
    answer('POST /execute', (json) => {
      json.returncode = 0
    }),
  ],
  'always names the first line': [
    'program:line',
    answer('POST /execute', (json) => {
      json.error = json.error.replace(/line \d+/, 'line 1')
    }),
  ],
  'loses the output of a program that fails': [
    'program:before',
    answer('POST /execute', (json) => {
      if (json.returncode !== 0) json.output = ''
    }),
  ],
  'runs a program before it parses all of it': [
    'program:syntax',
    answer('POST /execute', (json) => {
      if (json.error.includes('SyntaxError')) json.output = 'first\n'
    }),
  ],
  'stops at a blank line': ['program:statements', changeProgram((code) => code.split('\n\n', 1)[0]!)],
  'clicks elsewhere for a tuple': ['program:tuples', replaceInProgram('click(tag_1)', 'click(3, 3)')],
  'reads raw literals as plain ones': ['program:strings', replaceInProgram("print(r'", "print('")],
  'prints ASCII only': [
    'program:unicode',
    answer('POST /execute', (json) => {
      json.output = json.output.replace(/[\u0080-\u{10ffff}]/gu, '?')
    }),
  ],
  'keeps names between programs': ['program:fresh', replaceInProgram('print(cargo)', 'print(1)')],
  'cannot sleep for a fraction of a second': ['program:sleep', replaceInProgram('sleep(1.5)', 'sleep("1.5")')],
  'breaks off at its limit': [
    'program:limit',
    {
      changeResponse: (response, request) => {
        if (programOf(request)?.includes('sleep(121)')) response.status = 502
      },
    },
  ],
  'skips a repeated request': ['program:again', skipsRepeated()],
  'breaks at a failing program': ['program:unharmed', breaksAtFailure()],
  'calls unknown commands successes': ['program:unknown', succeedsAlways(false)],
  'calls unknown command lines successes': ['program:not-found', succeedsAlways(true)],
  'breaks at a body that is not JSON': [
    'program:malformed',
    {
      changeResponse: (response, request) => {
        if (request.path === '/execute' && bodyOf(request) === undefined) response.status = 500
      },
    },
  ],
  'prints something for Python that it does not have': [
    'program:other',
    changeResult('collections.Counter', (json) => {
      json.output = '1\n'
      json.returncode = 1
    }),
  ],
  'prints nothing by /run_python': [
    'run:python',
    answer('POST /run_python', (json) => {
      json.output = ''
    }),
  ],
  'has no failing programs at /run_python': [
    'run:python-fails',
    answer('POST /run_python', (json) => {
      json.return_code = 0
    }),
  ],
  'breaks without code': ['run:python-empty', replaceStatus('/run_python', 400, 500)],
  'prints nothing by a script': [
    'run:bash',
    answer('POST /run_bash_script', (json) => {
      json.output = ''
    }),
  ],
  'breaks without a script': ['run:bash-empty', replaceStatus('/run_bash_script', 400, 500)],
  'does not say that a verification passed': [
    'verify:window',
    answer('POST /execute_with_verification', (json) => {
      delete json.verification
    }),
  ],
  'passes what was not verified': ['verify:fails', replaceStatus('/execute_with_verification', 500, 200)],
  'passes in set-ups what was not verified': [
    'verify:alias',
    replaceStatus('/setup/execute_with_verification', 500, 200),
  ],
  'verifies no commands': [
    'verify:command',
    changeBody('/execute_with_verification', ({ verification }) => {
      delete verification.command_success
    }),
  ],
  'needs a verification': [
    'verify:plain',
    {
      changeResponse: (response, request) => {
        const isPlain = Object.keys(bodyOf(request)?.verification ?? { any: true }).length === 0
        if (request.path === '/execute_with_verification' && isPlain) response.status = 500
      },
    },
  ],
})

function skipsRepeated(): SabotageBehavior {
  let last = ''
  return changeProgram((code) => {
    const isRepeated = code === last
    last = code
    return isRepeated ? 'print()' : code
  })
}

function breaksAtFailure(): SabotageBehavior {
  let isBroken = false
  return answer('POST /execute', (json) => {
    const failed = json.returncode !== 0
    if (isBroken) json.output = ''
    isBroken = failed
  })
}

function succeedsAlways(isShell: boolean): SabotageBehavior {
  return {
    changeResponse: (response, request) => {
      const body = bodyOf(request)
      const command = typeof body?.command === 'string' ? body.command : body?.command?.[0]
      if (request.path !== '/execute' || !command?.startsWith('no-') || Boolean(body.shell) !== isShell) return
      response.status = 200
      response.json = { status: 'success', output: '', error: '', returncode: 0 }
    },
  }
}
