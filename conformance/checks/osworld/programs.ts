import assert from 'node:assert/strict'
import { ErrorBody, ExecuteResult } from '../../osworld/contract.ts'
import { act, printed, runAction, runPython, sendCommand } from '../../osworld/driver.ts'
import { assertField, fillField } from '../../osworld/field.ts'
import { centreOf, controlThat, isChecked, readControl } from '../../osworld/tree-driver.ts'
import type { HttpResponse } from '../../probe/http.ts'
import type { TestContext } from '../../run/test-context.ts'
import { check } from '../check.ts'
import { otherPoint } from './pointer.ts'

const success = { status: 'success', error: '', returncode: 0 } as const

const resultOf = ({ json }: HttpResponse) => {
  const { status, output, error, returncode } = json(ExecuteResult)
  return { status, output, error, returncode }
}

check('osworld:program:output', async (context) => {
  const word = context.random.word()
  const answer = await sendCommand(context, ['python', '-c', `print('${word}')`])
  assert.equal(answer.status, 200, answer.text)
  assert.deepEqual(resultOf(answer), { ...success, output: `${word}\n` })
})

check('osworld:program:prefix', async (context) => {
  const { returncode, error } = await runAction(context, 'time.sleep(0.1)')
  assert.equal(returncode, 0, error)
})

check('osworld:program:alias', async (context) => {
  const answer = await sendCommand(context, ['python', '-c', 'print(7 * 6)'], false, '/setup/execute')
  assert.equal(answer.status, 200, answer.text)
  assert.deepEqual(resultOf(answer), { ...success, output: '42\n' })
})

check('osworld:program:text', async (context) => {
  const word = context.random.word()
  assert.deepEqual(resultOf(await sendCommand(context, `python -c "print('${word} one')"`)), {
    ...success,
    output: `${word} one\n`,
  })
})

check('osworld:program:shell', async (context) => {
  const word = context.random.word()
  assert.deepEqual(resultOf(await sendCommand(context, `python -c "print('${word} two')"`, true)), {
    ...success,
    output: `${word} two\n`,
  })
})

check('osworld:program:error', async (context) => {
  const { returncode, error } = await runPython(context, "raised = 'x' + 1")
  assert.equal(returncode, 1)
  assert.match(error, /^Traceback \(most recent call last\):\n/)
  assert.match(error, /\nTypeError: [^\n]+\n*$/)
})

check('osworld:program:line', async (context) => {
  const { returncode, error } = await runPython(context, '# a comment\nship = 1\n\nship.sail()\nship = 2')
  assert.equal(returncode, 1)
  assert.match(error, /, line 4\b/)
})

check('osworld:program:before', async (context) => {
  assert.equal((await runPython(context, "print('first')\nlost\nprint('last')")).output, 'first\n')
})

check('osworld:program:syntax', async (context) => {
  const { returncode, output, error } = await runPython(context, "print('first')\nprint('sec")
  assert.equal(returncode, 1)
  assert.match(error, /SyntaxError/)
  assert.equal(output, '', 'a statement ran')
})

check('osworld:program:statements', async (context) => {
  const code = "# begin\nwidth = 3; print(width); print('a')  # end\n\nprint('b')\n"
  assert.equal(await printed(context, code), '3\na\nb\n')
})

check('osworld:program:tuples', async (context) => {
  const before = await readControl(context, 'toggle')
  const { x, y } = centreOf(before.box)
  await act(context, `\ntag_1=(${x}, ${y})\npyautogui.click(tag_1)`)
  const after = await controlThat(context, 'toggle', (now) => isChecked(now) !== isChecked(before))
  assert.notEqual(isChecked(after), isChecked(before), 'the click had no effect')
})

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

check('osworld:program:strings', async (context) => {
  for (const [literal, value] of LITERALS)
    assert.equal(await printed(context, `print(${literal})`), `${value}\n`, literal)
})

check('osworld:program:unicode', async (context) => {
  assert.equal(await printed(context, "print('Grüße 港 🚢')"), 'Grüße 港 🚢\n')
})

check('osworld:program:fresh', async (context) => {
  await runPython(context, 'cargo = 1')
  const { returncode, error } = await runPython(context, 'print(cargo)')
  assert.equal(returncode, 1, 'the name is known')
  assert.match(error, /NameError/)
})

check('osworld:program:sleep', async (context) => {
  assert.equal(await printed(context, "import time\ntime.sleep(1.5)\nprint('awake')"), 'awake\n')
})

/** Seconds that a program sleeps to exceed the limit of the document, and milliseconds for the answer. */
const [TOO_LONG_S, LIMIT_MS] = [121, 125_000]

check(
  'osworld:program:limit',
  async (context) => {
    const body = { command: ['python', '-c', `import time; time.sleep(${TOO_LONG_S})`], shell: false }
    const answer = await context.http.post('/execute', body, { timeoutMs: LIMIT_MS })
    if (answer.status === 500) return void answer.json(ErrorBody)
    assert.equal(answer.status, 200, answer.text)
    assert.equal(answer.json(ExecuteResult).returncode, 0)
  },
  { pool: 'dangerous', timeoutMs: LIMIT_MS + 10_000 },
)

check('osworld:program:again', async (context) => {
  await fillField(context, '')
  for (let count = 0; count < 3; count++) await act(context, "pyautogui.typewrite('n')")
  await assertField(context, 'nnn', 'a repeated request did not act')
})

check('osworld:program:unharmed', async (context) => {
  for (const code of ['1 / 0', 'missing()', "print('", 'pyautogui.click(1, 2, 3, 4, 5, 6, 7, 8, 9)'])
    await runAction(context, code)
  assert.equal(await printed(context, "print('well')"), 'well\n')
})

const unknown = ({ random }: TestContext): string => `no-${random.word(10)}`

check('osworld:program:unknown', async (context) => {
  const answer = await sendCommand(context, [unknown(context), '--version'])
  if (answer.status === 500) return void answer.json(ErrorBody)
  assert.equal(answer.status, 200)
  assert.notEqual(answer.json(ExecuteResult).returncode, 0, 'an unknown command succeeds')
})

check('osworld:program:not-found', async (context) => {
  const answer = await sendCommand(context, `${unknown(context)} --version`, true)
  assert.equal(answer.status, 200)
  const { returncode, error } = answer.json(ExecuteResult)
  assert.notEqual(returncode, 0, 'an unknown command succeeds')
  assert.match(error, /not found|not recognized/)
})

check(
  'osworld:program:malformed',
  async ({ http }) => {
    for (const raw of ['{"command":', 'command=python']) {
      const { status } = await http.send({ method: 'POST', path: '/execute', raw, deliberate: true })
      assert.ok(status >= 400 && status < 500, `${raw} answers ${status}`)
    }
  },
  { pool: 'dangerous' },
)

check('osworld:program:other', async (context) => {
  const code = "import collections\nprint(collections.Counter('harbour')['r'])"
  const { returncode, output, error } = await runPython(context, code)
  if (returncode === 0) return assert.equal(output, '2\n')
  assert.match(error, /^Traceback|Error: /, 'the error has no traceback')
  assert.equal(output, '', 'a failing program prints something')
})

check('osworld:input:corner', async (context) => {
  await act(context, 'pyautogui.moveTo(0, 0)', "pyautogui.press('shift'); pyautogui.moveTo(5, 5)")
  const { x, y } = await otherPoint(context)
  await act(context, `pyautogui.moveTo(${x}, ${y})`)
})
