import { describe, expect, it } from 'vitest'
import { readAttachments, withNotes } from './attachments.ts'

const base64 = (text: string | Buffer) => Buffer.from(text).toString('base64')

describe('an attachment', () => {
  it.each([
    ['image/png', undefined],
    ['image/jpeg; q=1', undefined],
    ['IMAGE/JPG', undefined],
    ['image/svg+xml', 'drawing'],
    ['application/octet-stream', 'shot.PNG'],
    ['', 'shot.webp'],
  ])('[AG91] of type %j named %s stays an image', (mimeType, name) => {
    const { images, notes } = readAttachments([{ mimeType, base64: 'data:image/png;base64,aGk=', name }])
    expect(images).toEqual([{ mimeType: expect.stringMatching(/^image\/(png|jpeg|webp|svg\+xml)$/), base64: 'aGk=' }])
    expect(notes).toEqual([])
  })

  it.each([
    ['text/plain', undefined],
    ['application/json', undefined],
    ['application/vnd.api+json', undefined],
    ['application/octet-stream', 'notes.md'],
  ])('[AG91] of type %j named %s is read', (mimeType, name) => {
    const { images, notes } = readAttachments([{ mimeType, base64: base64('Grüße'), name }])
    expect(images).toEqual([])
    expect(notes).toEqual([expect.stringMatching(/^\[Attached file .*, 7 bytes\)\]\nGrüße$/)])
  })

  it.each([
    ['application/pdf', 'a.pdf', '%PDF-1.7'],
    ['application/octet-stream', 'constructor', 'x'],
    ['audio/wav', undefined, 'RIFF'],
    ['text/plain', 'latin1.txt', Buffer.from([0x47, 0xfc, 0x00, 0xff])],
  ])('[AG91] of type %j named %s is described', (mimeType, name, content) => {
    const { images, notes } = readAttachments([{ mimeType, base64: base64(content), name }])
    expect(images).toEqual([])
    expect(notes).toEqual([expect.stringMatching(/^\[Attached file .* bytes\): .*contents cannot be shown\]$/)])
    expect(withNotes('look', notes)).toBe(`look\n\n${notes[0]}`)
  })

  it('[AG92] of text is cut at a whole character', () => {
    const { notes } = readAttachments([{ mimeType: 'text/plain', base64: base64('ü'.repeat(100_000)) }])
    expect(notes[0]!.length).toBeLessThan(26_000)
    expect(notes[0]).toMatch(/ü\n\[The rest is not shown\]$/)
    const many = Array.from({ length: 100 }, () => ({ mimeType: 'text/plain', base64: base64('x'.repeat(50_000)) }))
    expect(readAttachments(many).notes.join('').length).toBeLessThan(1_100_000)
  })
})
