import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { afterEach, describe, expect, it } from 'vitest'
import { manualClock } from '../../../test/support/base/manual-clock.ts'
import { cleanUp, onCleanup } from '../../../test/support/protocols/cleanup.ts'
import { startNavi, startNaviSession } from '../../../test/support/protocols/navi.ts'
import { upgradeStatus } from '../../../test/support/protocols/socket-client.ts'
import { parseProfiles } from '../../agent/profiles-file.ts'
import { diskFolder } from '../../stores/disk.ts'
import { openSessionFiles } from './files.ts'
import { naviApi } from './routes.ts'
import { Item } from './wire.ts'

// Facts such as [N-E1] are listed in facts.ts.

afterEach(cleanUp)

describe('sessions', () => {
  it('[N-E4] [N-X2] [N-X6] are made for a profile', async () => {
    const { call } = await startNavi()
    expect(await call('POST', '/sessions', { profile_id: 'secretary' })).toEqual([
      201,
      {
        session_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        profile_id: 'secretary',
        created_at: expect.stringMatching(/\+00:00$/),
      },
    ])
    expect((await call('POST', '/sessions', { profile_id: 'nobody' }))[0]).toBe(404)
    for (const body of ['', '{', '[]', '{}', '{"profile_id":7}'])
      expect((await call('POST', '/sessions', body))[0]).toBe(422)
  })

  it('[N-E5] [N-E8] are listed pinned first, then by activity', async () => {
    const clock = manualClock(Date.UTC(2026, 3, 10, 18))
    const { call, create } = await startNavi({}, { clock })
    const ids: string[] = []
    for (const text of ['first', 'second', 'x'.repeat(100)]) {
      const id = await create()
      ids.push(id)
      await clock.advance(1000)
      await call('POST', `/sessions/${id}/messages`, { content: text })
    }
    expect(await call('PATCH', `/sessions/${ids[0]}/pin`, { pinned: true })).toEqual([
      200,
      { session_id: ids[0], pinned: true },
    ])
    const [, list] = await call('GET', '/sessions')
    const item = (index: number, preview: string, pinned: boolean) => ({
      session_id: ids[index],
      profile_id: 'secretary',
      message_count: 2,
      preview,
      pinned,
      created_at: `2026-04-10T18:00:0${index}.000+00:00`,
      last_active: `2026-04-10T18:00:0${index + 1}.000+00:00`,
    })
    expect(list).toEqual([
      item(0, 'You said: first', true),
      item(2, 'x'.repeat(60), false),
      item(1, 'You said: second', false),
    ])
    expect((await call('PATCH', `/sessions/${ids[0]}/pin`, { pinned: 'yes' }))[0]).toBe(422)
  })

  it('[N-E6] [N-E9] show their messages and the context of the model', async () => {
    const { client, call, id } = await startNaviSession()
    client.sendMessage('search the web')
    await client.until('stream_end')
    const [, session] = await call('GET', `/sessions/${id}`)
    const { messages } = session as { messages: Item[] }
    for (const message of messages) Item.parse(message)
    expect(messages).toMatchObject([
      { role: 'user', content: 'search the web' },
      { role: 'assistant', tool_calls: [{ name: 'web_search', arguments: { query: 'weather in Lisbon' } }] },
      {
        role: 'tool',
        content: 'Sunny, 22 degrees (weather in Lisbon)',
        tool_call_id: messages[1]!.tool_calls![0]!.id,
        name: 'web_search',
      },
      { role: 'assistant', content: 'The web says: Sunny, 22 degrees (weather in Lisbon)' },
    ])
    const total = messages.reduce((sum, message) => sum + (message.content?.length ?? 0), 0)
    expect(await call('GET', `/sessions/${id}/context`)).toEqual([
      200,
      { session_id: id, profile_id: 'secretary', message_count: 4, total_chars: total, context: messages },
    ])
  })

  it('[N-E7] go with their files and their sockets', async () => {
    const { client, call, id, upload, dataFolder } = await startNaviSession()
    await upload(id, 'a.txt', 'hello')
    client.sendMessage('answer slowly')
    await client.until('stream_delta')
    expect(await call('DELETE', `/sessions/${id}`)).toEqual([204, undefined])
    expect((await client.closed)[0]).toBe(4004)
    expect(existsSync(join(dataFolder, 'session_files', id))).toBe(false)
    expect((await call('GET', `/sessions/${id}`))[0]).toBe(404)
  })

  it('[N-X2] are unknown to every route, which says so before it reads a body', async () => {
    const { call } = await startNavi()
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', ''],
      ['PATCH', '/pin'],
      ['GET', '/context'],
      ['POST', '/stop'],
      ['POST', '/messages'],
      ['POST', '/files'],
    ] as const)
      expect(await call(method, `/sessions/unknown${path}`, method === 'GET' ? undefined : '{}'), path).toEqual([
        404,
        { detail: 'Session not found' },
      ])
  })

  it('[N-X2] [N-E12] deleted before the answer answer 404', async () => {
    const { client, call, id } = await startNaviSession()
    const ask = (content: string) => call('POST', `/sessions/${id}/messages`, { content })
    const live = ask('answer slowly')
    await client.until('stream_delta')
    const waiting = ask('hello')
    await call('DELETE', `/sessions/${id}`)
    const gone = [404, { detail: 'Session not found' }]
    expect(await Promise.all([live, waiting])).toEqual([gone, gone])
  })

  it('[N-X2] are unknown under an id of any length', async () => {
    const { call } = await startNavi()
    expect(await call('GET', `/sessions/${'x'.repeat(5000)}`)).toEqual([404, { detail: 'Session not found' }])
  })

  it('[N-E12] [N-X4] [N-X6] answer a message over HTTP when the run is over', async () => {
    const { call, create } = await startNavi()
    const id = await create()
    const ask = (content: unknown) => call('POST', `/sessions/${id}/messages`, { content })
    expect(await ask('hello')).toEqual([200, { role: 'assistant', content: 'You said: hello' }])
    expect(await ask('fail halfway')).toEqual([500, { detail: 'the model cannot go on' }])
    expect((await ask(''))[0]).toBe(422)
    const both = await Promise.all([ask('one'), ask('two')])
    expect(both.map(([, body]) => (body as Item).content)).toEqual(['You said: one', 'You said: two'])
  })
})

describe('files', () => {
  it('[N-E10] [N-M4] are stored under their own name, or a numbered one, and named to the agent', async () => {
    const { client, call, id, upload, dataFolder } = await startNaviSession({}, { script: [{ say: '{{message}}' }] })
    const stored = (name: string, size: number) => ({
      name,
      size,
      path: `session_files/${id}/${name}`,
      content_type: 'text/plain',
    })
    expect(await upload(id, 'file.txt', 'hello')).toEqual([201, stored('file.txt', 5)])
    expect(await upload(id, 'file.txt', '')).toEqual([201, stored('file_1.txt', 0)])
    expect(await upload(id, 'file.txt', 'third')).toEqual([201, stored('file_2.txt', 5)])
    expect(readFileSync(join(dataFolder, 'session_files', id, 'file_2.txt'), 'utf8')).toBe('third')
    const files = ['file.txt', 'missing.txt', '../../secret'].map((name) => ({
      name,
      size: 1,
      path: `session_files/${id}/${name}`,
    }))
    client.sendMessage('read', { files })
    await client.until('stream_end')
    const withheld = (name: string) =>
      `[File session_files/${id}/${name} is not a file of this session and is not attached]`
    expect(client.answer()).toBe(
      [
        `read\n\nAttached files:\n- session_files/${id}/file.txt`,
        withheld('missing.txt'),
        withheld('../../secret'),
      ].join('\n\n'),
    )
    const [, session] = await call('GET', `/sessions/${id}`)
    const [, context] = await call('GET', `/sessions/${id}/context`)
    expect([session, context]).toMatchObject([
      { messages: [{ content: 'read' }, {}] },
      { context: [{ content: client.answer() }, {}] },
    ])
  })

  it('[N-X1] of a blocked type are refused, however it is written, and no part of them is stored', async () => {
    const { create, upload, dataFolder } = await startNavi()
    const id = await create()
    for (const name of [
      'a.sh',
      'a.exe.',
      'a.txt.Sh',
      '.sh',
      'a.sh\u200b',
      'a.s\u200dh',
      'a.sh\u00ad\ufe0f\u034f',
      'a\u202etxt.sh',
      'a.sh\u202e',
      'a.sh. . .',
      'a.sh\u00a0\u3000.',
      'a.sh\t',
      'a. sh',
      'a.ｓｈ',
      'a．sh',
      'a.\u017fh',
      'a.sh::$DATA',
      'a.sh:x.txt',
      'a.sh ::$INDEX_ALLOCATION',
      'a.sh：x',
      'a.s?h',
      '..sh',
      'C:\\a.sh',
    ])
      expect((await upload(id, name, 'x'))[0], name).toBe(400)
    expect(existsSync(join(dataFolder, 'session_files', id))).toBe(false)
  })

  it('[N-X1] with long runs of dots and blanks are looked at in linear time', async () => {
    const { create, upload } = await startNavi()
    const files = openSessionFiles('/nowhere', 1)
    expect(await files.read('s', `${'. '.repeat(500_000)}a`, 0, 1)).toBeUndefined()
    expect((await upload(await create(), `${'. '.repeat(1000)}a`, 'x'))[0]).toBe(201)
  })

  it('[N-E10] stay in their folder, under a name that is safe', async () => {
    const { create, upload, dataFolder } = await startNavi()
    for (const [given, kept] of [
      ['a\u200b\u202eb.txt', 'ab.txt'],
      ['sh', 'sh'],
      ['a.shx', 'a.shx'],
      ['../../escape.txt', 'escape.txt'],
      ['..\\..\\escape.txt', 'escape.txt'],
      ['/etc/passwd', 'passwd'],
      ['..', 'file'],
      ['...', 'file'],
      ['.hidden', '.hidden'],
      ['a.exe.txt', 'a.exe.txt'],
      [`${'n'.repeat(300)}.txt`, `${'n'.repeat(196)}.txt`],
      [`${'报'.repeat(100)}.pdf`, `${'报'.repeat(65)}.pdf`],
      [`${'🎬'.repeat(100)}.pdf`, `${'🎬'.repeat(49)}.pdf`],
    ] as const) {
      const id = await create()
      expect(await upload(id, given, 'x'), given).toMatchObject([201, { name: kept }])
      expect(readdirSync(join(dataFolder, 'session_files', id))).toEqual([kept])
    }
  })

  it('[N-M4] of the longest names are named to the agent, numbered ones as well', async () => {
    const { client, id, upload } = await startNaviSession({}, { script: [{ say: '{{message}}' }] })
    const name = `${'n'.repeat(300)}.txt`
    const files = [(await upload(id, name, 'x'))[1], (await upload(id, name, 'x'))[1]] as { path: string }[]
    client.sendMessage('read', { files })
    await client.until('stream_end')
    expect(client.answer()).toBe(`read\n\nAttached files:\n- ${files[0]!.path}\n- ${files[1]!.path}`)
  })

  it('[N-X2] of a session that is deleted while they arrive are not kept', async () => {
    const { create, call, server, dataFolder } = await startNavi()
    const id = await create()
    const sent = request(`${server.url}/sessions/${id}/files`, {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=edge' },
    })
    sent.write('--edge\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\nhalf')
    const folder = join(dataFolder, 'session_files', id)
    await expect.poll(() => existsSync(join(dataFolder, 'session_files', '.incoming'))).toBe(true)
    await call('DELETE', `/sessions/${id}`)
    sent.end('\r\n--edge--\r\n')
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    expect([response.statusCode, await json(response)]).toEqual([404, { detail: 'Session not found' }])
    expect(existsSync(folder)).toBe(false)
    expect(server.bugs).toEqual([])
  })

  it('[N-X6] may come behind others, which are not kept', async () => {
    const { create, call, dataFolder } = await startNavi()
    const id = await create()
    const form = new FormData()
    form.append('other', new Blob(['1']), 'other.txt')
    form.append('file', new Blob(['2']), 'file.txt')
    expect(await call('POST', `/sessions/${id}/files`, form)).toMatchObject([201, { name: 'file.txt' }])
    expect(readdirSync(join(dataFolder, 'session_files', id))).toEqual(['file.txt'])
  })

  it('[N-X3] over the limit are rejected without a trace; exactly at the limit they are accepted', async () => {
    const { create, upload, dataFolder } = await startNavi({ uploadLimit: 100_000 })
    const id = await create()
    expect(await upload(id, 'fits.bin.txt', new Uint8Array(100_000))).toMatchObject([201, { size: 100_000 }])
    expect((await upload(id, 'large.txt', new Uint8Array(100_001)))[0]).toBe(413)
    expect(readdirSync(join(dataFolder, 'session_files', id))).toEqual(['fits.bin.txt'])
  })

  it('[N-X3] are not limited as other bodies are, which are held in memory', async () => {
    const { create, upload, call } = await startNavi({ maxPayload: 1000 })
    const id = await create()
    expect((await upload(id, 'a.txt', 'x'.repeat(2000)))[0]).toBe(201)
    expect((await call('POST', `/sessions/${id}/files`, 'x'.repeat(2000)))[0]).toBe(413)
  })

  it('[N-X6] need a form', async () => {
    const { create, call } = await startNavi()
    expect((await call('POST', `/sessions/${await create()}/files`, '{}'))[0]).toBe(422)
  })

  it('[N-E10] go after a day without activity; the session stays', async () => {
    const clock = manualClock()
    const { create, upload, dataFolder, call } = await startNavi({}, { clock })
    const id = await create()
    await upload(id, 'a.txt', 'x')
    await clock.advance(23 * 3_600_000)
    expect(existsSync(join(dataFolder, 'session_files', id))).toBe(true)
    await clock.advance(3_600_000)
    await expect.poll(() => existsSync(join(dataFolder, 'session_files', id))).toBe(false)
    expect((await call('GET', `/sessions/${id}`))[0]).toBe(200)
  })

  it('[N-E10] that come after a day without activity are activity', async () => {
    const clock = manualClock()
    const { create, upload, dataFolder } = await startNavi({}, { clock })
    const id = await create()
    await clock.advance(30 * 3_600_000)
    await upload(id, 'a.txt', 'x')
    await clock.advance(3_600_000)
    expect(existsSync(join(dataFolder, 'session_files', id, 'a.txt'))).toBe(true)
  })
})

describe('the rest', () => {
  it('[N-M3] accepts pictures with and without a prefix and stores them without', async () => {
    const { client, call, id } = await startNaviSession()
    client.sendMessage('look at this', {
      images: ['aGk=', 'data:image/jpeg;base64,aG8=', 'data:image/svg+xml;charset=utf-8;base64,aGE='],
    })
    expect(await client.until('stream_end')).toMatchObject({ content: 'I see 3 pictures.' })
    expect(await call('GET', `/sessions/${id}`)).toMatchObject([
      200,
      { messages: [{ images: ['aGk=', 'aG8=', 'aGE='] }, {}] },
    ])
  })

  it('[N-M3] refuses pictures that are not base64', async () => {
    const { client } = await startNaviSession()
    client.sendMessage('look at this', { images: ['aGk=', '!!'] })
    expect(await client.until('error')).toEqual({
      type: 'error',
      message: 'this is no message: images[1]: expected a picture in base64',
    })
  })

  it('[N-E1] [N-E2] [N-E3] reports its health, profiles and tools', async () => {
    const cast = parseProfiles(
      'profiles:\n  - {id: one, name: One, enabled_tools: [todo]}\ntools:\n  - {name: todo, description: Keep a list., result: noted}\n',
    )
    const { call } = await startNavi(
      { tools: cast.tools.map(({ name, description, input }) => ({ name, description, input })) },
      { profiles: cast.profiles },
    )
    expect(await call('GET', '/health')).toEqual([200, { status: 'ok' }])
    expect(await call('GET', '/agents/profiles')).toEqual([
      200,
      [
        {
          id: 'one',
          name: 'One',
          description: '',
          enabled_tools: ['todo'],
          llm_backend: 'scripted',
          model: 'scripted',
        },
      ],
    ])
    expect(await call('GET', '/agents/tools')).toMatchObject([
      200,
      [
        { name: 'todo', description: 'Keep a list.' },
        { name: 'read_file' },
        { name: 'spawn_agent' },
        { name: 'switch_profile' },
      ],
    ])
  })

  it('[N-E14] serves the client with no-store', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'client-'))
    onCleanup(() => rmSync(folder, { recursive: true }))
    writeFileSync(join(folder, 'index.html'), '<h1>Navi</h1>')
    const { server } = await startNavi({ client: diskFolder([folder]) })
    const page = await fetch(`${server.url}/static/index.html`)
    expect([
      page.status,
      page.headers.get('cache-control'),
      page.headers.get('content-type'),
      await page.text(),
    ]).toEqual([200, 'no-store', 'text/html; charset=utf-8', '<h1>Navi</h1>'])
    for (const path of ['missing.js', '..%2f..%2fetc%2fpasswd', '%2fetc%2fpasswd'])
      expect((await fetch(`${server.url}/static/${path}`)).status).toBe(404)
  })

  it('[N-E13] refuses pages of foreign origins and other paths', async () => {
    const { server, create } = await startNavi()
    const id = await create()
    const status = (path: string, origin: string) => upgradeStatus(server.url, path, { origin })
    expect(await status(`/ws/sessions/${id}`, 'http://localhost:3000')).toBe(101)
    expect(await status(`/ws/sessions/${id}`, 'https://evil.example')).toBe(403)
    expect(await status('/ws', 'http://localhost:3000')).toBe(404)
  })
})

it('[N-E12] rejects a too large and an excess message with the documented statuses', async () => {
  const { call, create } = await startNavi({ maxPayload: 1000 }, { clock: manualClock() })
  const id = await create()
  const sendMessage = async (content: string) => (await call('POST', `/sessions/${id}/messages`, { content }))[0]
  const statuses = [await sendMessage('x'.repeat(1000))]
  const all = Array.from({ length: 130 }, () => sendMessage('answer slowly'))
  statuses.push(await Promise.race(all))
  expect(statuses).toEqual([413, 503])
  await call('DELETE', `/sessions/${id}`)
  expect((await Promise.all(all)).filter((status) => status === 404)).toHaveLength(129)
  const { responses: answers } = naviApi.operations.find(({ path }) => path === '/sessions/{id}/messages')!
  for (const status of [404, ...statuses]) expect(answers).toHaveProperty([String(status)])
})
