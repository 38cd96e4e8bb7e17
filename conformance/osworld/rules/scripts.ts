import assert from 'node:assert/strict'
import * as z from 'zod'
import { assertStatus } from '../../probe/failure.ts'
import { defineRules } from '../../suite/rules.ts'
import type { TestContext } from '../../suite/test-context.ts'
import { BashResult, ExecuteResult, FailedVerification, PythonResult, VerifiedResult } from '../contract.ts'
import { sources } from '../document.ts'
import { bodyOf, changeBody, onSuccessOf, replaceStatus } from '../sabotage.ts'

const [ROUTE, ALIAS] = ['/execute_with_verification', '/setup/execute_with_verification']

/** Runs a program with a verification that may take a second. */
const verify = ({ http }: TestContext, verification: object, route = ROUTE) =>
  http.post(route, {
    ...{ command: ['python', '-c', "print('done')"], shell: false, max_wait_time: 1, check_interval: 0.5 },
    verification,
  })

const Passed = z.looseObject({ verification: z.literal('passed'), wait_time: z.number().nonnegative() })

const openTitle = ({ profile }: TestContext): string => profile.known('windows', z.array(z.string()).min(1))[0]!

/** Running Python code and shell scripts. */
export const runRules = defineRules('run', {
  python: {
    level: 'MUST',
    text: 'POST /run_python answers status success, the output, an empty error, need_more false and return_code 0.',
    source: sources.server,
    basis: { states: 'POST /run_python answers status, message, need_more, output, error and return_code.' },
    covers: ['OW-R25'],
    tier: 'full',
    check: async ({ http, random }) => {
      const word = random.word()
      const answer = await http.post('/run_python', { code: `for_word = '${word}'\nprint(for_word)` })
      assertStatus(answer, 200)
      const { status, output, error, return_code } = answer.json(PythonResult)
      assert.deepEqual(
        { status, output, error, return_code },
        { status: 'success', output: `${word}\n`, error: '', return_code: 0 },
      )
    },
    sabotage: {
      'prints nothing by /run_python': onSuccessOf('POST /run_python', (json) => {
        json.output = ''
      }),
    },
  },

  'python-fails': {
    level: 'SHOULD',
    text: 'A failing program answers return_code 1 with its traceback in error.',
    source: sources.expected,
    basis: { because: 'The document gives the fields and not their values for a program that fails.' },
    covers: ['OW-R25'],
    tier: 'full',
    check: async ({ http }) => {
      const answer = await http.post('/run_python', { code: 'lost' })
      assertStatus(answer, 200)
      const { error, return_code } = answer.json(PythonResult)
      assert.equal(return_code, 1, 'return_code')
      assert.match(error, /NameError/)
    },
    sabotage: {
      'has no failing programs at /run_python': onSuccessOf('POST /run_python', (json) => {
        json.return_code = 0
      }),
    },
  },

  'python-empty': {
    level: 'MUST',
    text: 'POST /run_python without code answers 400.',
    source: sources.server,
    basis: { states: 'POST /run_python answers 400 without code.' },
    covers: ['OW-R25', 'OW-X1'],
    tier: 'full',
    check: async ({ http }) => {
      assertStatus(await http.post('/run_python', {}), 400)
    },
    sabotage: {
      'breaks without code': replaceStatus('/run_python', 400, 500),
    },
  },

  bash: {
    level: 'SHOULD',
    text: 'POST /run_bash_script answers the output of the script, and an empty error.',
    source: sources.server,
    basis: { states: 'POST /run_bash_script answers status, output of both streams, error "" and returncode.' },
    covers: ['OW-R26'],
    tier: 'full',
    check: async ({ http, random }) => {
      const word = random.word()
      const answer = await http.post('/run_bash_script', { script: `python -c "print('${word}')"` })
      assertStatus(answer, 200)
      const { output, returncode } = answer.json(BashResult)
      assert.deepEqual({ output, returncode }, { output: `${word}\n`, returncode: 0 })
    },
    sabotage: {
      'prints nothing by a script': onSuccessOf('POST /run_bash_script', (json) => {
        json.output = ''
      }),
    },
  },

  'bash-empty': {
    level: 'MUST',
    text: 'POST /run_bash_script without a script answers 400.',
    source: sources.server,
    basis: { states: 'POST /run_bash_script answers 400 without script.' },
    covers: ['OW-R26', 'OW-X1'],
    tier: 'full',
    check: async ({ http }) => {
      assertStatus(await http.post('/run_bash_script', {}), 400)
    },
    sabotage: {
      'breaks without a script': replaceStatus('/run_bash_script', 400, 500),
    },
  },
})

/** Running a command and verifying what it did. */
export const verifyRules = defineRules('verify', {
  window: {
    level: 'MUST',
    text: 'A window that exists passes the verification, with the result of the command and wait_time.',
    source: sources.server,
    basis: { states: 'The answer adds verification "passed" and wait_time to that of /execute.' },
    covers: ['OW-R3'],
    tier: 'full',
    check: async (context) => {
      const answer = await verify(context, { window_exists: openTitle(context) })
      assertStatus(answer, 200)
      const { wait_time } = answer.json(Passed)
      const { output, returncode } = answer.json(VerifiedResult)
      assert.deepEqual({ output, returncode }, { output: 'done\n', returncode: 0 })
      const tookS = answer.tookMs / 1000
      assert.ok(wait_time <= tookS, `wait_time is ${wait_time} seconds of the ${tookS.toFixed(2)} of the request`)
    },
    sabotage: {
      'always waits for ten seconds': onSuccessOf('POST /execute_with_verification', (json) => {
        json.wait_time = 10
      }),
      'does not say that a verification passed': onSuccessOf('POST /execute_with_verification', (json) => {
        delete json.verification
      }),
    },
  },

  fails: {
    level: 'MUST',
    text: 'A window that does not exist fails the verification with 500.',
    source: sources.server,
    basis: { states: 'A verification that does not pass in max_wait_time answers 500 with verification "failed".' },
    covers: ['OW-R3', 'OW-X3'],
    tier: 'full',
    check: async (context) => {
      const answer = await verify(context, { window_exists: context.random.word(14) })
      assertStatus(answer, 500)
      answer.json(FailedVerification)
    },
    sabotage: {
      'passes what was not verified': replaceStatus('/execute_with_verification', 500, 200),
    },
  },

  alias: {
    level: 'MUST',
    text: 'POST /setup/execute_with_verification verifies likewise.',
    source: sources.server,
    basis: { states: 'Both routes have one function.' },
    covers: ['OW-R4'],
    tier: 'sdk',
    check: async (context) => {
      const passes = await verify(context, { window_exists: openTitle(context) }, ALIAS)
      assertStatus(passes, 200)
      passes.json(Passed)
      assertStatus(await verify(context, { window_exists: context.random.word(14) }, ALIAS), 500)
    },
    sabotage: {
      'passes in set-ups what was not verified': replaceStatus('/setup/execute_with_verification', 500, 200),
    },
  },

  command: {
    level: 'SHOULD',
    text: 'command_success passes for a command that succeeds, and fails for one that does not.',
    source: sources.server,
    basis: { states: 'verification has window_exists and command_success.' },
    covers: ['OW-R3'],
    tier: 'full',
    check: async (context) => {
      const passes = await verify(context, { command_success: 'python -c "print(1)"' })
      assertStatus(passes, 200)
      passes.json(Passed)
      assertStatus(await verify(context, { command_success: 'python -c "print(lost)"' }), 500)
    },
    sabotage: {
      'verifies no commands': changeBody('/execute_with_verification', ({ verification }) => {
        delete verification.command_success
      }),
    },
  },

  plain: {
    level: 'SHOULD',
    text: 'Without a verification the command is only run.',
    source: sources.expected,
    basis: { because: 'The document does not say that verification is required.' },
    covers: ['OW-R3'],
    tier: 'full',
    check: async (context) => {
      const answer = await verify(context, {})
      assertStatus(answer, 200)
      assert.equal(answer.json(ExecuteResult).output, 'done\n', 'output')
    },
    sabotage: {
      'needs a verification': {
        changeResponse: (response, request) => {
          const isPlain = Object.keys(bodyOf(request)?.verification ?? { any: true }).length === 0
          if (request.path === '/execute_with_verification' && isPlain) response.status = 500
        },
      },
    },
  },
})
