import assert from 'node:assert/strict'
import * as z from 'zod'
import { BashResult, ExecuteResult, FailedVerification, PythonResult, VerifiedResult } from '../../osworld/contract.ts'
import { sendCommand } from '../../osworld/driver.ts'
import { notOffered } from '../../probe/failure.ts'
import type { TestContext } from '../../run/test-context.ts'
import { check } from '../check.ts'

check('osworld:run:python', async ({ http, random }) => {
  const word = random.word()
  const answer = await http.post('/run_python', { code: `for_word = '${word}'\nprint(for_word)` })
  assert.equal(answer.status, 200, answer.text)
  const { status, output, error, return_code } = answer.json(PythonResult)
  assert.deepEqual(
    { status, output, error, return_code },
    { status: 'success', output: `${word}\n`, error: '', return_code: 0 },
  )
})

check('osworld:run:python-fails', async ({ http }) => {
  const answer = await http.post('/run_python', { code: 'lost' })
  assert.equal(answer.status, 200, answer.text)
  const { error, return_code } = answer.json(PythonResult)
  assert.equal(return_code, 1)
  assert.match(error, /NameError/)
})

check('osworld:run:python-empty', async ({ http }) => {
  assert.equal((await http.post('/run_python', {})).status, 400)
})

check('osworld:run:bash', async ({ http, random }) => {
  const word = random.word()
  const answer = await http.post('/run_bash_script', { script: `python -c "print('${word}')"` })
  assert.equal(answer.status, 200, answer.text)
  const { output, returncode } = answer.json(BashResult)
  assert.deepEqual({ output, returncode }, { output: `${word}\n`, returncode: 0 })
})

check('osworld:run:bash-empty', async ({ http }) => {
  assert.equal((await http.post('/run_bash_script', {})).status, 400)
})

const [ROUTE, ALIAS] = ['/execute_with_verification', '/setup/execute_with_verification']

/** Runs a program with a verification that may take a second. */
const verify = ({ http }: TestContext, verification: object, route = ROUTE) =>
  http.post(route, {
    ...{ command: ['python', '-c', "print('done')"], shell: false, max_wait_time: 1, check_interval: 0.5 },
    verification,
  })

const Passed = z.looseObject({ verification: z.literal('passed'), wait_time: z.number().nonnegative() })

const openTitle = ({ profile }: TestContext): string => profile.known('windows', z.array(z.string()).min(1))[0]!

check('osworld:verify:window', async (context) => {
  const answer = await verify(context, { window_exists: openTitle(context) })
  assert.equal(answer.status, 200, answer.text)
  answer.json(Passed)
  const { output, returncode } = answer.json(VerifiedResult)
  assert.deepEqual({ output, returncode }, { output: 'done\n', returncode: 0 })
})

check('osworld:verify:fails', async (context) => {
  const answer = await verify(context, { window_exists: context.random.word(14) })
  assert.equal(answer.status, 500, answer.text)
  answer.json(FailedVerification)
})

check('osworld:verify:alias', async (context) => {
  const passes = await verify(context, { window_exists: openTitle(context) }, ALIAS)
  assert.equal(passes.status, 200, passes.text)
  passes.json(Passed)
  assert.equal((await verify(context, { window_exists: context.random.word(14) }, ALIAS)).status, 500)
})

check('osworld:verify:command', async (context) => {
  const passes = await verify(context, { command_success: 'python -c "print(1)"' })
  assert.equal(passes.status, 200, passes.text)
  passes.json(Passed)
  assert.equal((await verify(context, { command_success: 'python -c "print(lost)"' })).status, 500)
})

check('osworld:verify:plain', async (context) => {
  const answer = await verify(context, {})
  assert.equal(answer.status, 200, answer.text)
  assert.equal(answer.json(ExecuteResult).output, 'done\n')
})

const SECRET = '00112233445566778899aabbccddeeff'

check(
  'osworld:extension:score',
  async (context) => {
    if (!context.profile.has('selects')) notOffered('the profile has no scenario to select')
    const scenario = context.profile.known('selects', z.string())
    const run = async (...words: readonly string[]) => {
      const answer = await sendCommand(context, ['backlot', ...words])
      assert.equal(answer.status, 200, answer.text)
      return answer.json(ExecuteResult)
    }
    const selected = await run('select', '--scenario', scenario, '--seed', '1', '--secret', SECRET)
    assert.equal(selected.returncode, 0, selected.error)
    const score = await run('score', '--secret', SECRET)
    assert.equal(score.returncode, 0, score.error)
    assert.match(score.output.trim(), /^\d\.\d+$/, 'the score is not a float')
    const guessed = await run('score', '--secret', SECRET.replace('0', '1'))
    assert.notEqual(guessed.returncode, 0, 'a wrong secret reads the score')
    assert.equal(guessed.output, '', 'a wrong secret reads something')
  },
  { pool: 'dangerous' },
)
