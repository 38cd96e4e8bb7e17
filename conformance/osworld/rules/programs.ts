import assert from 'node:assert/strict'
import { assertStatus } from '../../probe/failure.ts'
import type { HttpResponse } from '../../probe/http.ts'
import { defineRules } from '../../suite/rules.ts'
import type { SabotageBehavior } from '../../suite/sabotage.ts'
import type { TestContext } from '../../suite/test-context.ts'
import { ErrorBody, ExecuteResult } from '../contract.ts'
import { sources } from '../document.ts'
import { act, printed, runAction, runPython, sendCommand } from '../driver.ts'
import { assertField, fillField } from '../field.ts'
import {
  bodyOf,
  changeBody,
  changeProgram,
  changeResult,
  onSuccessOf,
  programOf,
  replaceInProgram,
} from '../sabotage.ts'
import { centreOf, controlThat, isChecked, readControl } from '../tree-driver.ts'

const success = { status: 'success', error: '', returncode: 0 } as const

const resultOf = ({ json }: HttpResponse) => {
  const { status, output, error, returncode } = json(ExecuteResult)
  return { status, output, error, returncode }
}

/** Literals of Python, and their values. */
const LITERALS: readonly (readonly [literal: string, value: string])[] = [
  ["'it\\'s'", "it's"],
  ['"it\'s"', "it's"],
  ["'''a 'b' c'''", "a 'b' c"],
  ['"""two\nlines"""', 'two\nlines'],
  ["r'C:\\new'", 'C:\\new'],
  ["'tab\\tend'", 'tab\tend'],
  ["'\\x41\\u0042'", 'AB'],
  ["'one' 'two'", 'onetwo'],
  ["'ab' * 3", 'ababab'],
]

/** Seconds that a program sleeps to exceed the limit of the document, and milliseconds for the answer. */
const [TOO_LONG_S, LIMIT_MS] = [121, 125_000]

const unknown = ({ random }: TestContext): string => `no-${random.word(10)}`

/** Running commands and programs. */
export const programRules = defineRules('program', ['program:output'], {
  output: {
    level: 'MUST',
    text: 'A program that prints answers 200 with its output, an empty error and returncode 0.',
    source: sources.server,
    basis: { states: 'POST /execute answers status success, output, error and returncode.' },
    covers: ['OW-R1', 'OW-P2', 'OW-P9'],
    check: async (context) => {
      const word = context.random.word()
      const answer = await sendCommand(context, ['python', '-c', `print('${word}')`])
      assertStatus(answer, 200)
      assert.deepEqual(resultOf(answer), { ...success, output: `${word}\n` })
    },
    sabotage: {
      'cuts the last newline of an output': onSuccessOf('POST /execute', (json) => {
        json.output = json.output.trimEnd()
      }),
    },
  },

  prefix: {
    level: 'MUST',
    text: 'A program with the prefix of the client runs.',
    source: sources.client,
    basis: { states: 'Programs begin with imports of pyautogui and time, and set FAILSAFE to False.' },
    covers: ['OW-P1', 'OW-R1'],
    check: async (context) => {
      const { returncode, error } = await runAction(context, 'time.sleep(0.1)')
      assert.equal(returncode, 0, error)
    },
    sabotage: {
      'knows no prefix': replaceInProgram('import pyautogui; import time;', 'import no_such_module;'),
    },
  },

  alias: {
    level: 'MUST',
    text: 'POST /setup/execute runs a command like POST /execute.',
    source: sources.server,
    basis: { states: 'Both routes have one function.' },
    covers: ['OW-R2'],
    tier: 'sdk',
    check: async (context) => {
      const answer = await sendCommand(context, ['python', '-c', 'print(7 * 6)'], false, '/setup/execute')
      assertStatus(answer, 200)
      assert.deepEqual(resultOf(answer), { ...success, output: '42\n' })
    },
    sabotage: {
      'sets up without an output': onSuccessOf('POST /setup/execute', (json) => {
        json.output = ''
      }),
    },
  },

  text: {
    level: 'MUST',
    text: 'A command that is one text is split into words like a command line.',
    source: sources.server,
    basis: { states: 'command is a list or a text; shell is a flag.' },
    covers: ['OW-R1'],
    check: async (context) => {
      const word = context.random.word()
      assert.deepEqual(resultOf(await sendCommand(context, `python -c "print('${word} one')"`)), {
        ...success,
        output: `${word} one\n`,
      })
    },
    sabotage: {
      'does not split a text into words': changeBody('/execute', (body) => {
        if (typeof body.command === 'string' && !body.shell) body.command = [body.command]
      }),
    },
  },

  shell: {
    level: 'MUST',
    text: 'A command line runs with shell true.',
    source: sources.server,
    basis: { states: 'command is a list or a text; shell is a flag.' },
    covers: ['OW-R1'],
    tier: 'sdk',
    check: async (context) => {
      const word = context.random.word()
      assert.deepEqual(resultOf(await sendCommand(context, `python -c "print('${word} two')"`, true)), {
        ...success,
        output: `${word} two\n`,
      })
    },
    sabotage: {
      'has no shell': changeBody('/execute', (body) => {
        if (body.shell) body.command = `no-shell ${body.command}`
      }),
    },
  },

  home: {
    level: 'MUST',
    text: 'A leading ~/ of a word is replaced by the home directory.',
    source: sources.server,
    basis: { states: 'A leading ~/ of words in a list is expanded.' },
    covers: ['OW-R1'],
    tier: 'sdk',
    unchecked: 'only other programs than Python show it, and a server need not have any',
  },

  error: {
    level: 'MUST',
    text: 'An exception answers 200 with returncode 1 and a traceback that ends with the exception.',
    source: sources.agents,
    basis: { states: 'Python ends with returncode 1 and a traceback on its error output.' },
    covers: ['OW-P3', 'OW-P2'],
    check: async (context) => {
      const { returncode, error } = await runPython(context, "raised = 'x' + 1")
      assert.equal(returncode, 1, 'returncode')
      assert.match(error, /^Traceback \(most recent call last\):\n/)
      assert.match(error, /\nTypeError: [^\n]+\n*$/)
    },
    sabotage: {
      'shows exceptions without a traceback': onSuccessOf('POST /execute', (json) => {
        json.error = json.error.replace(/^Traceback[\s\S]*?\n(?=\w+Error)/, '')
      }),
      'calls exceptions successes': onSuccessOf('POST /execute', (json) => {
        json.returncode = 0
      }),
    },
  },

  line: {
    level: 'MUST',
    text: 'The traceback names the line of the statement that failed.',
    source: sources.agents,
    basis: { states: 'A traceback names the line of the failing statement.' },
    covers: ['OW-P3'],
    check: async (context) => {
      const { returncode, error } = await runPython(context, '# a comment\nship = 1\n\nship.sail()\nship = 2')
      assert.equal(returncode, 1, 'returncode')
      assert.match(error, /, line 4\b/)
    },
    sabotage: {
      'always names the first line': onSuccessOf('POST /execute', (json) => {
        json.error = json.error.replace(/line \d+/, 'line 1')
      }),
    },
  },

  before: {
    level: 'MUST',
    text: 'Statements before the one that fails take effect.',
    source: sources.agents,
    basis: { states: 'Python runs statements in their order until one fails.' },
    covers: ['OW-P3', 'OW-P4'],
    check: async (context) => {
      assert.equal((await runPython(context, "print('first')\nlost\nprint('last')")).output, 'first\n', 'output')
    },
    sabotage: {
      'loses the output of a program that fails': onSuccessOf('POST /execute', (json) => {
        if (json.returncode !== 0) json.output = ''
      }),
    },
  },

  syntax: {
    level: 'MUST',
    text: 'A program that does not parse answers returncode 1 with a SyntaxError, and none of its statements runs.',
    source: sources.agents,
    basis: { states: 'Python parses a program before it runs it.' },
    covers: ['OW-P3'],
    check: async (context) => {
      const { returncode, output, error } = await runPython(context, "print('first')\nprint('sec")
      assert.equal(returncode, 1, 'returncode')
      assert.match(error, /SyntaxError/)
      assert.equal(output, '', 'a statement ran')
    },
    sabotage: {
      'runs a program before it parses all of it': onSuccessOf('POST /execute', (json) => {
        if (json.error.includes('SyntaxError')) json.output = 'first\n'
      }),
    },
  },

  statements: {
    level: 'MUST',
    text: 'Statements are parted by newlines and semicolons, and comments are skipped.',
    source: sources.agents,
    basis: { states: 'Programs have several statements, parted by newlines or semicolons, and comments.' },
    covers: ['OW-P4'],
    check: async (context) => {
      const code = "# begin\nwidth = 3; print(width); print('a')  # end\n\nprint('b')\n"
      assert.equal(await printed(context, code), '3\na\nb\n', 'the output')
    },
    sabotage: {
      'stops at a blank line': changeProgram((code) => code.split('\n\n', 1)[0]!),
    },
  },

  tuples: {
    level: 'MUST',
    text: 'A tuple that was assigned to a name is accepted as the point of a click.',
    source: sources.agents,
    basis: { states: 'Set-of-marks agents define tag_1=(x, y) and write pyautogui.click(tag_1).' },
    covers: ['OW-P5'],
    needs: ['tree:tuples', 'tree:names', 'program:prefix'],
    check: async (context) => {
      const before = await readControl(context, 'toggle')
      const { x, y } = centreOf(before.box)
      await act(context, `\ntag_1=(${x}, ${y})\npyautogui.click(tag_1)`)
      const after = await controlThat(context, 'toggle', (now) => isChecked(now) !== isChecked(before))
      assert.notEqual(isChecked(after), isChecked(before), 'the click had no effect')
    },
    sabotage: {
      'clicks elsewhere for a tuple': replaceInProgram('click(tag_1)', 'click(3, 3)'),
    },
  },

  strings: {
    level: 'MUST',
    text: 'String literals of every quotation and escape have the value that Python gives them.',
    source: sources.agents,
    basis: { states: 'The client sends texts by repr, and agents write literals of all quotations.' },
    covers: ['OW-P6', 'OW-P9'],
    check: async (context) => {
      for (const [literal, value] of LITERALS)
        assert.equal(await printed(context, `print(${literal})`), `${value}\n`, literal)
    },
    sabotage: {
      'reads raw literals as plain ones': replaceInProgram("print(r'", "print('"),
    },
  },

  unicode: {
    level: 'SHOULD',
    text: 'Characters outside of ASCII are printed unchanged.',
    source: sources.expected,
    basis: { because: 'The document does not name an encoding; JSON and Python have no other characters.' },
    covers: ['OW-P9'],
    check: async (context) => {
      assert.equal(await printed(context, "print('Grüße 港 🚢')"), 'Grüße 港 🚢\n', 'the output')
    },
    sabotage: {
      'prints ASCII only': onSuccessOf('POST /execute', (json) => {
        json.output = json.output.replace(/[\u0080-\u{10ffff}]/gu, '?')
      }),
    },
  },

  fresh: {
    level: 'SHOULD',
    text: 'Names of one program are unknown to the next.',
    source: sources.expected,
    basis: { because: 'Every command is a process of its own.' },
    covers: ['OW-R1'],
    check: async (context) => {
      await runPython(context, 'cargo = 1')
      const { returncode, error } = await runPython(context, 'print(cargo)')
      assert.equal(returncode, 1, 'the name is known')
      assert.match(error, /NameError/)
    },
    sabotage: {
      'keeps names between programs': replaceInProgram('print(cargo)', 'print(1)'),
    },
  },

  sleep: {
    level: 'MUST',
    text: 'A program that sleeps is answered with returncode 0.',
    source: sources.agents,
    basis: { states: 'Programs pause with time.sleep.' },
    covers: ['OW-P7'],
    check: async (context) => {
      assert.equal(await printed(context, "import time\ntime.sleep(1.5)\nprint('awake')"), 'awake\n', 'the output')
    },
    sabotage: {
      'cannot sleep for a fraction of a second': replaceInProgram('sleep(1.5)', 'sleep("1.5")'),
    },
  },

  limit: {
    level: 'MUST',
    text: 'A program that sleeps for longer than the limit is answered within 125 seconds, with its result or with an error.',
    source: sources.server,
    basis: { states: 'A command may take 120 seconds; beyond that the answer is 500 with status error.' },
    covers: ['OW-P10'],
    tier: 'full',
    pool: 'dangerous',
    timeoutMs: LIMIT_MS + 10_000,
    check: async (context) => {
      const body = { command: ['python', '-c', `import time; time.sleep(${TOO_LONG_S})`], shell: false }
      const answer = await context.http.post('/execute', body, { timeoutMs: LIMIT_MS })
      if (answer.status === 500) return void answer.json(ErrorBody)
      assertStatus(answer, 200)
      assert.equal(answer.json(ExecuteResult).returncode, 0, 'returncode')
    },
    sabotage: {
      'breaks off at its limit': {
        changeResponse: (response, request) => {
          if (programOf(request)?.includes('sleep(121)')) response.status = 502
        },
      },
    },
  },

  again: {
    level: 'MUST',
    text: 'A repeated request acts again.',
    source: sources.client,
    basis: { states: 'The client tries each request three times, and the server keeps no record of requests.' },
    covers: ['OW-C2'],
    needs: ['tree:tuples', 'tree:names', 'program:prefix'],
    check: async (context) => {
      await fillField(context, '')
      for (let count = 0; count < 3; count++) await act(context, "pyautogui.typewrite('n')")
      await assertField(context, 'nnn', 'a repeated request did not act')
    },
    sabotage: {
      'skips a repeated request': skipsRepeated(),
    },
  },

  unharmed: {
    level: 'SHOULD',
    text: 'After failed programs the next one runs.',
    source: sources.expected,
    basis: { because: 'One wrong action of an agent should not end its episode.' },
    covers: ['OW-P3'],
    check: async (context) => {
      for (const code of ['1 / 0', 'missing()', "print('", 'pyautogui.click(1, 2, 3, 4, 5, 6, 7, 8, 9)'])
        await runAction(context, code)
      assert.equal(await printed(context, "print('well')"), 'well\n', 'the output')
    },
    sabotage: {
      'breaks at a failing program': breaksAtFailure(),
    },
  },

  unknown: {
    level: 'MUST',
    text: 'A command that does not exist answers 500 with status error, or a returncode other than 0.',
    source: sources.server,
    basis: { states: 'A command that cannot be started answers 500 with status error and a message.' },
    covers: ['OW-R1', 'OW-X3'],
    check: async (context) => {
      const answer = await sendCommand(context, [unknown(context), '--version'])
      if (answer.status === 500) return void answer.json(ErrorBody)
      assertStatus(answer, 200)
      assert.notEqual(answer.json(ExecuteResult).returncode, 0, 'an unknown command succeeds')
    },
    sabotage: {
      'calls unknown commands successes': succeedsAlways(false),
    },
  },

  'not-found': {
    level: 'SHOULD',
    text: 'A command line whose command does not exist answers a returncode other than 0, and says so.',
    source: sources.expected,
    basis: { because: 'Shells answer so; the document does not describe shells.' },
    covers: ['OW-R1'],
    check: async (context) => {
      const answer = await sendCommand(context, `${unknown(context)} --version`, true)
      assertStatus(answer, 200)
      const { returncode, error } = answer.json(ExecuteResult)
      assert.notEqual(returncode, 0, 'an unknown command succeeds')
      assert.match(error, /not found|not recognized/)
    },
    sabotage: {
      'calls unknown command lines successes': succeedsAlways(true),
    },
  },

  malformed: {
    level: 'SHOULD',
    text: 'A body that is not JSON is refused with a status from 400 to 499.',
    source: sources.expected,
    basis: { because: 'The document leaves the body to the web framework.' },
    covers: ['OW-X1'],
    pool: 'dangerous',
    check: async ({ http }) => {
      for (const raw of ['{"command":', 'command=python']) {
        const { status } = await http.send({ method: 'POST', path: '/execute', raw, deliberate: true })
        assert.ok(status >= 400 && status < 500, `${raw} answers ${status}`)
      }
    },
    sabotage: {
      'breaks at a body that is not JSON': {
        changeResponse: (response, request) => {
          if (request.path === '/execute' && bodyOf(request) === undefined) response.status = 500
        },
      },
    },
  },

  other: {
    level: 'SHOULD',
    text: 'Python beyond what agents usually send works, or fails with a traceback and prints nothing.',
    source: sources.expected,
    basis: { because: 'A server need not have all of Python; a program that fails clearly can be corrected.' },
    covers: ['OW-P11'],
    check: async (context) => {
      const code = "import collections\nprint(collections.Counter('harbour')['r'])"
      const { returncode, output, error } = await runPython(context, code)
      if (returncode === 0) return assert.equal(output, '2\n', 'output')
      assert.match(error, /^Traceback|Error: /, 'the error has no traceback')
      assert.equal(output, '', 'a failing program prints something')
    },
    sabotage: {
      'prints something for Python that it does not have': changeResult('collections.Counter', (json) => {
        json.output = '1\n'
        json.returncode = 1
      }),
    },
  },
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
  return onSuccessOf('POST /execute', (json) => {
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
