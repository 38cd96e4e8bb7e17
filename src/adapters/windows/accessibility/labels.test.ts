import { describe, expect, it } from 'vitest'
import { labelName, parseLabel } from './labels.ts'

describe('labels', () => {
  it('[WA2] have no accelerator in their name', () => {
    expect(parseLabel('&Save as…\tCtrl+S')).toEqual({ name: 'Save as…', accessKey: 'Alt+S', shortcut: 'Ctrl+S' })
    expect(parseLabel('C&olour:')).toEqual({ name: 'Colour:', accessKey: 'Alt+O' })
    expect(parseLabel('Salt && pepper')).toEqual({ name: 'Salt & pepper' })
    expect(parseLabel('Salt && &pepper')).toEqual({ name: 'Salt & pepper', accessKey: 'Alt+P' })
    expect(parseLabel('ファイル(&F)')).toEqual({ name: 'ファイル', accessKey: 'Alt+F' })
    expect(parseLabel('Żółć')).toEqual({ name: 'Żółć' })
  })

  it('[WA3] name the control behind them without a colon', () => {
    expect(['&First name:', 'Prénom :', '名前：', 'Count'].map(labelName)).toEqual([
      'First name',
      'Prénom',
      '名前',
      'Count',
    ])
  })
})
