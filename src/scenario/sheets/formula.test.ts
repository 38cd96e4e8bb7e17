import { describe, expect, it } from 'vitest'
import { contentAfterShift, movedContent, normalisedFormula } from '../../desktop/model/formula-text.ts'
import { shownValue } from './cell-value.ts'
import { parseFormula } from './formula.ts'
import { SHEET_FUNCTIONS } from './functions.ts'
import { createWorkbook } from './workbook.ts'

// Rules such as [CF1] are stated in README.md beside this file.

const FIELDS = ['a', 'b', 'c', 'd', 'e', 'f']
const START = Date.UTC(2024, 4, 3, 17, 40, 5)

/** The shown values of a sheet, row by row. */
function values(
  rows: readonly (readonly (string | number | boolean)[])[],
  others: Readonly<Record<string, readonly (readonly string[])[]>> = {},
  environment = { nowMs: START, seed: 7 },
): readonly (readonly string[])[] {
  const sheets = { Own: rows, ...others }
  const workbook = createWorkbook(Object.keys(sheets).map((name) => ({ name, variable: name, fields: FIELDS })))
  const lists = Object.values(sheets).map((list) =>
    list.map((row) => Object.fromEntries(row.map((content, index) => [FIELDS[index]!, content]))),
  )
  return workbook
    .calculate(lists, environment)
    .values[0]!.map((row, index) => row.slice(0, rows[index]!.length).map(shownValue))
}

/** The shown value of one formula beside the rows of a sheet, which is in the sheet as well. */
const value = (formula: string, rows: readonly (readonly string[])[] = []): string =>
  values([...rows, [formula]]).at(-1)![0]!

const DATA = [
  ['Mug', '8.5', '3', '2024-05-01'],
  ['Tea', '4', '10', '2024-05-02'],
  ['Lamp', '31.25', '', '2024-05-03'],
  ['tea', '2', '5', 'none'],
]

describe('a formula', () => {
  it('[CF1] computes with the precedence of spreadsheets', () => {
    const texts = [
      '=1+2*3',
      '=(1+2)*3',
      '=-2^2',
      '=2^3^2',
      '=50%*4',
      '="a"&1+1&"b"',
      '=1+1=2',
      '=2>1=TRUE',
      '=3<>4',
      '=--"5"',
    ]
    expect(texts.map((text) => value(text))).toEqual(['7', '9', '4', '64', '2', 'a2b', 'TRUE', 'TRUE', 'TRUE', '5'])
  })

  it('[CF1] separates arguments by commas or semicolons and may leave one out', () => {
    expect([value('=SUM(1,2;3)'), value('=IF(FALSE,1,)'), value('= sum( 1 , 2 )'), value('="a""b"')]).toEqual([
      '6',
      '0',
      '3',
      'a"b',
    ])
  })

  it('[CF2] refers to cells, ranges and columns of this and other sheets', () => {
    const others = {
      Costs: [
        ['1', '2'],
        ['3', '4'],
      ],
      'My costs': [['5']],
    }
    const formulas = [
      '=Costs!B2',
      '=SUM(costs!A1:B2)',
      "='My costs'!$A$1+1",
      '=SUM(Costs!A:A)',
      '=Costs.B1',
      '=None!A1',
      '=A9',
    ]
    expect(values([formulas.slice(0, 4), formulas.slice(4)], others)).toEqual([
      ['4', '10', '6', '4'],
      ['2', '#REF!', '0'],
    ])
  })

  it('[CF3] is #NAME? if it cannot be read, and has its problem at a place', () => {
    expect(['=1+', '=SUM(1', '=foo', '=FOO(1)', '=1 2'].map((text) => value(text))).toEqual(Array(5).fill('#NAME?'))
    expect(['=1+', '=SUM(1', '=A1:', '=1 2', '="a', '=1 ? 2'].map(parseFormula)).toEqual([
      { message: 'the formula ends too early; expected a value, a reference or a function', start: 3, end: 3 },
      { message: 'expected )', start: 6, end: 6 },
      { message: 'expected a cell after the colon', start: 3, end: 4 },
      { message: 'unexpected 2', start: 3, end: 4 },
      { message: 'a text without an end; expected another "', start: 1, end: 3 },
      { message: 'unexpected "?"', start: 3, end: 4 },
    ])
  })

  it('[CF4] moves relative references when it is copied', () => {
    const copied = (text: string) => movedContent(text, 1, 2)
    expect(
      ['=A1*$B$2+$C3+D$4', '=sum(a1:a3)&" A1 "', "='My costs'!B2+Costs!$B:C", '=A1048576', 'A1', '=LOG10(1)'].map(
        copied,
      ),
    ).toEqual(['=C2*$B$2+$C4+F$4', '=SUM(C2:C4)&" A1 "', "='My costs'!D3+Costs!$B:E", '=#REF!', 'A1', '=LOG10(1)'])
    expect(movedContent('=A1+B2', -1, 0)).toBe('=#REF!+B1')
    expect(normalisedFormula('=sum(a1:b$2) + "sum(a1)"')).toBe('=SUM(A1:B$2) + "sum(a1)"')
  })

  it('[CF5] follows rows that are inserted and removed', () => {
    const removed = { sheet: 'Costs', start: 1, removed: 2, inserted: 0 }
    const inserted = { sheet: 'Costs', start: 1, removed: 0, inserted: 1 }
    const formulas = ['=A1+A2+A4', '=SUM(A1:A9)', '=SUM(A2:A3)', '=SUM(A2:A4)', '=SUM($A$3:A1)', '=Other!A4']
    expect(formulas.map((text) => contentAfterShift(text, 'Costs', removed))).toEqual([
      '=A1+#REF!+A2',
      '=SUM(A1:A7)',
      '=SUM(#REF!)',
      '=SUM(A2:A2)',
      '=SUM($A$1:A1)',
      '=Other!A4',
    ])
    expect(formulas.map((text) => contentAfterShift(text, 'Costs', inserted))).toEqual([
      '=A1+A3+A5',
      '=SUM(A1:A10)',
      '=SUM(A3:A4)',
      '=SUM(A3:A5)',
      '=SUM($A$4:A1)',
      '=Other!A4',
    ])
    expect(contentAfterShift('=costs!A4+A4', 'Other', removed)).toBe('=costs!A2+A4')
  })
})

describe('a value', () => {
  it('[CF6] is what its content would be when it is typed', () => {
    const contents = [
      '1,250.50',
      '$3',
      '-€2',
      '12%',
      'true',
      "'12",
      '1e3',
      '.5',
      '.',
      '12,5',
      '2024-05-03',
      '2024-13-01',
      '',
    ]
    const kinds = contents.map(
      (content) => values([[content, '=IF(ISNUMBER(A1),A1+0,IF(ISTEXT(A1),"text "&A1,A1))']])[0]![1],
    )
    expect(kinds).toEqual([
      '1250.5',
      '3',
      '-2',
      '0.12',
      'TRUE',
      'text 12',
      '1000',
      '0.5',
      'text .',
      'text 12,5',
      '2024-05-03',
      'text 2024-13-01',
      '0',
    ])
    expect(values([[5, 2.5, true, '=A1+B1+C1']])).toEqual([['5', '2.5', 'TRUE', '8.5']])
  })

  it('[CF7] is converted where it can be, and errors are handed on', () => {
    const texts = [
      '="3"+1',
      '=TRUE+1',
      '="a"+1',
      '=1/0',
      '=1/0+"a"',
      '=SUM(1,1/0)',
      '=A9&"x"',
      '=A9=""',
      '=A9=0',
      '=#REF!',
      '=0.1+0.2=0.3',
    ]
    expect(texts.map((text) => value(text))).toEqual([
      '4',
      '2',
      '#VALUE!',
      '#DIV/0!',
      '#DIV/0!',
      '#DIV/0!',
      'x',
      'TRUE',
      'TRUE',
      '#REF!',
      'TRUE',
    ])
  })

  it('[CF8] of a day and a number of days is a day', () => {
    const texts = ['=D1+30', '=D2-D1', '=D1-1', '=VALUE(D1)', '=D3>D1', '=DATE(1900,1,1)+0', '=DATE(9999,12,31)+1']
    expect(texts.map((text) => value(text, DATA))).toEqual([
      '2024-05-31',
      '1',
      '2024-04-30',
      '45413',
      'TRUE',
      '1900-01-01',
      '#NUM!',
    ])
  })

  it('[CF9] that is a number shows at most 10 decimals and 15 digits', () => {
    const texts = [
      '=1/3',
      '=0.1+0.2',
      '=1/3*1e9',
      '=2^40',
      '=1e15',
      '=1/1e10',
      '=1e300*1e10',
      '=1.23456789012345',
      '=-5/2',
    ]
    expect(texts.map((text) => value(text))).toEqual([
      '0.3333333333',
      '0.3',
      '333333333.333333',
      '1099511627776',
      '1E+15',
      '1E-10',
      '#NUM!',
      '1.2345678901',
      '-2.5',
    ])
  })

  it('[CF10] of a range is computed for each cell, or is the cell in line', () => {
    expect(value('=SUMPRODUCT((A1:A4="tea")*C1:C4)', DATA)).toBe('15')
    expect(value('=SUM(B1:B4*2)', DATA)).toBe('91.5')
    expect(
      values([
        ['1', '=A1:A3*10'],
        ['2', '=A1:A3'],
        ['3', '=A1:A2'],
      ]),
    ).toEqual([
      ['1', '10'],
      ['2', '2'],
      ['3', '#VALUE!'],
    ])
  })
})

/** Formulas beside DATA, and what they show. */
const EXAMPLES: Readonly<Record<string, readonly (readonly [formula: string, shown: string])[]>> = {
  ABS: [['=ABS(-3)', '3']],
  ACOS: [
    ['=ACOS(1)', '0'],
    ['=ACOS(2)', '#NUM!'],
  ],
  AND: [
    ['=AND(TRUE,1>0)', 'TRUE'],
    ['=AND(A1:A2)', '#VALUE!'],
  ],
  ASIN: [['=ASIN(1)', '1.5707963268']],
  ATAN: [['=ATAN(1)', '0.7853981634']],
  ATAN2: [['=ATAN2(0,1)', '1.5707963268']],
  AVERAGE: [
    ['=AVERAGE(B1:B4)', '11.4375'],
    ['=AVERAGE(A1:A4)', '#DIV/0!'],
  ],
  AVERAGEIF: [
    ['=AVERAGEIF(A1:A4,"tea",B1:B4)', '3'],
    ['=AVERAGEIF(B1:B4,">100")', '#DIV/0!'],
  ],
  AVERAGEIFS: [['=AVERAGEIFS(B1:B4,A1:A4,"tea",C1:C4,">6")', '4']],
  CEILING: [
    ['=CEILING(2.1)', '3'],
    ['=CEILING(0.3,0.1)', '0.3'],
  ],
  'CEILING.MATH': [['=CEILING.MATH(7,5)', '10']],
  CHAR: [
    ['=CHAR(65)', 'A'],
    ['=CHAR(0)', '#VALUE!'],
  ],
  CHOOSE: [
    ['=CHOOSE(2,"a","b")', 'b'],
    ['=CHOOSE(3,"a","b")', '#VALUE!'],
  ],
  CLEAN: [['=CLEAN("a"&CHAR(10)&"b")', 'ab']],
  CODE: [['=CODE("A")', '65']],
  COLUMN: [
    ['=COLUMN()', '1'],
    ['=COLUMN(C4)', '3'],
  ],
  COLUMNS: [['=COLUMNS(A1:C2)', '3']],
  COMBIN: [['=COMBIN(5,2)', '10']],
  CONCAT: [['=CONCAT(A1:B1,"!")', 'Mug8.5!']],
  CONCATENATE: [['=CONCATENATE("a",1)', 'a1']],
  COS: [['=COS(0)', '1']],
  COUNT: [
    ['=COUNT(A1:D4)', '10'],
    ['=COUNT(1,"2","x",TRUE)', '3'],
  ],
  COUNTA: [['=COUNTA(C1:C4)', '3']],
  COUNTBLANK: [['=COUNTBLANK(C1:C4)', '1']],
  COUNTIF: [
    ['=COUNTIF(B1:B4,">=4")', '3'],
    ['=COUNTIF(A1:A4,"t*")', '2'],
    ['=COUNTIF(A1:A4,"<>Mug")', '3'],
    ['=COUNTIF(B1:B4,4)', '1'],
  ],
  COUNTIFS: [['=COUNTIFS(A1:A4,"tea",B1:B4,"<3")', '1']],
  DATE: [['=DATE(2024,2,30)', '2024-03-01']],
  DATEDIF: [
    ['=DATEDIF(DATE(2020,5,4),D3,"Y")', '3'],
    ['=DATEDIF(D1,D3,"D")', '2'],
    ['=DATEDIF(D3,D1,"M")', '#NUM!'],
  ],
  DATEVALUE: [['=DATEVALUE("2024-05-03")-D3', '0']],
  DAY: [['=DAY(D3)', '3']],
  DAYS: [['=DAYS(D3,D1)', '2']],
  DEGREES: [['=DEGREES(PI())', '180']],
  EDATE: [['=EDATE(DATE(2024,1,31),1)', '2024-02-29']],
  EOMONTH: [['=EOMONTH(D1,0)', '2024-05-31']],
  EVEN: [
    ['=EVEN(3)', '4'],
    ['=EVEN(-1)', '-2'],
  ],
  EXACT: [['=EXACT("a","A")', 'FALSE']],
  EXP: [['=EXP(0)', '1']],
  FACT: [
    ['=FACT(5)', '120'],
    ['=FACT(171)', '#NUM!'],
  ],
  FALSE: [['=FALSE()', 'FALSE']],
  FIND: [
    ['=FIND("e","Tea")', '2'],
    ['=FIND("E","Tea")', '#VALUE!'],
  ],
  FIXED: [
    ['=FIXED(1234.567,1)', '1,234.6'],
    ['=FIXED(1234.567,1,TRUE)', '1234.6'],
  ],
  FLOOR: [
    ['=FLOOR(2.9)', '2'],
    ['=FLOOR(7,5)', '5'],
  ],
  'FLOOR.MATH': [['=FLOOR.MATH(-7,5)', '-10']],
  FV: [['=ROUND(FV(0.05/12,12,-100),2)', '1227.89']],
  GCD: [['=GCD(12,18)', '6']],
  GEOMEAN: [['=GEOMEAN(2,8)', '4']],
  HLOOKUP: [
    ['=HLOOKUP("8.5",A1:C2,2,FALSE)', '#N/A'],
    ['=HLOOKUP(8.5,A1:C2,2,FALSE)', '4'],
  ],
  HOUR: [['=HOUR(NOW())', '17']],
  IF: [
    ['=IF(B1>8,"dear","cheap")', 'dear'],
    ['=IF(FALSE,1)', 'FALSE'],
    ['=IF(TRUE,1,1/0)', '1'],
  ],
  IFERROR: [
    ['=IFERROR(1/0,"none")', 'none'],
    ['=IFERROR(3,4)', '3'],
  ],
  IFNA: [
    ['=IFNA(NA(),0)', '0'],
    ['=IFNA(1/0,0)', '#DIV/0!'],
  ],
  IFS: [
    ['=IFS(FALSE,1,TRUE,2)', '2'],
    ['=IFS(FALSE,1)', '#N/A'],
  ],
  INDEX: [
    ['=INDEX(A1:C4,2,3)', '10'],
    ['=SUM(INDEX(A1:C4,0,2))', '45.75'],
    ['=INDEX(A1:C4,9,1)', '#REF!'],
    ['=INDEX(A1:C1,2)', '8.5'],
  ],
  INT: [['=INT(-1.5)', '-2']],
  ISBLANK: [
    ['=ISBLANK(C3)', 'TRUE'],
    ['=ISBLANK(A1)', 'FALSE'],
  ],
  ISERR: [
    ['=ISERR(1/0)', 'TRUE'],
    ['=ISERR(NA())', 'FALSE'],
  ],
  ISERROR: [['=ISERROR(NA())', 'TRUE']],
  ISEVEN: [['=ISEVEN(4)', 'TRUE']],
  ISLOGICAL: [['=ISLOGICAL(1=1)', 'TRUE']],
  ISNA: [['=ISNA(NA())', 'TRUE']],
  ISNUMBER: [
    ['=ISNUMBER(B1)', 'TRUE'],
    ['=ISNUMBER(D1)', 'TRUE'],
    ['=ISNUMBER(A1)', 'FALSE'],
  ],
  ISODD: [['=ISODD(4)', 'FALSE']],
  ISOWEEKNUM: [
    ['=ISOWEEKNUM(DATE(2024,12,30))', '1'],
    ['=ISOWEEKNUM(D1)', '18'],
  ],
  ISTEXT: [['=ISTEXT(A1)', 'TRUE']],
  LARGE: [
    ['=LARGE(B1:B4,2)', '8.5'],
    ['=LARGE(B1:B4,9)', '#NUM!'],
  ],
  LCM: [['=LCM(4,6)', '12']],
  LEFT: [
    ['=LEFT("Lamp",2)', 'La'],
    ['=LEFT("Lamp")', 'L'],
    ['=LEFT("a",-1)', '#VALUE!'],
  ],
  LEN: [['=LEN(A3)', '4']],
  LN: [
    ['=LN(EXP(2))', '2'],
    ['=LN(-1)', '#NUM!'],
  ],
  LOG: [
    ['=LOG(100)', '2'],
    ['=LOG(8,2)', '3'],
  ],
  LOG10: [['=LOG10(1000)', '3']],
  LOOKUP: [
    ['=LOOKUP(5,{1},2)', '#NAME?'],
    ['=LOOKUP(D2,D1:D3,B1:B3)', '4'],
  ],
  LOWER: [['=LOWER("ABC")', 'abc']],
  MATCH: [
    ['=MATCH("Lamp",A1:A4,0)', '3'],
    ['=MATCH("L*",A1:A4,0)', '3'],
    ['=MATCH(D2+0.5,D1:D3)', '2'],
    ['=MATCH("x",A1:A4,0)', '#N/A'],
  ],
  MAX: [
    ['=MAX(B1:B4)', '31.25'],
    ['=MAX(A1:A4)', '0'],
  ],
  MAXIFS: [['=MAXIFS(B1:B4,A1:A4,"tea")', '4']],
  MEDIAN: [['=MEDIAN(B1:B4)', '6.25']],
  MID: [
    ['=MID("Lamp",2,2)', 'am'],
    ['=MID("Lamp",0,2)', '#VALUE!'],
  ],
  MIN: [['=MIN(B1:B4)', '2']],
  MINIFS: [['=MINIFS(B1:B4,C1:C4,">1")', '2']],
  MINUTE: [['=MINUTE(NOW())', '40']],
  MOD: [
    ['=MOD(-1,3)', '2'],
    ['=MOD(1,0)', '#DIV/0!'],
  ],
  MODE: [
    ['=MODE(1,2,2,3)', '2'],
    ['=MODE(1,2)', '#N/A'],
  ],
  'MODE.SNGL': [['=MODE.SNGL(5,5)', '5']],
  MONTH: [['=MONTH(D1)', '5']],
  MROUND: [
    ['=MROUND(7,5)', '5'],
    ['=MROUND(8,5)', '10'],
    ['=MROUND(8,-5)', '#NUM!'],
  ],
  N: [
    ['=N("a")', '0'],
    ['=N(TRUE)', '1'],
  ],
  NA: [['=NA()', '#N/A']],
  NETWORKDAYS: [
    ['=NETWORKDAYS(D1,DATE(2024,5,8))', '6'],
    ['=NETWORKDAYS(D1,DATE(2024,5,8),D2)', '5'],
  ],
  NOT: [['=NOT(FALSE)', 'TRUE']],
  NOW: [['=NOW()', '2024-05-03 17:40:05']],
  NPER: [['=ROUND(NPER(0.01,-100,1000),4)', '10.5886']],
  NPV: [['=ROUND(NPV(0.1,100,100),4)', '173.5537']],
  ODD: [
    ['=ODD(2)', '3'],
    ['=ODD(-2)', '-3'],
  ],
  OR: [['=OR(FALSE,B1>100,C2=10)', 'TRUE']],
  PERCENTILE: [['=PERCENTILE(B1:B4,0.5)', '6.25']],
  'PERCENTILE.INC': [['=PERCENTILE.INC(B1:B4,2)', '#NUM!']],
  PI: [['=PI()', '3.1415926536']],
  PMT: [
    ['=ROUND(PMT(0.06/12,120,10000),2)', '-111.02'],
    ['=PMT(0,10,1000)', '-100'],
  ],
  POWER: [['=POWER(2,10)', '1024']],
  PRODUCT: [['=PRODUCT(B1:B2)', '34']],
  PROPER: [['=PROPER("ada mORENO")', 'Ada Moreno']],
  PV: [['=ROUND(PV(0.05,10,-100),2)', '772.17']],
  QUARTILE: [['=QUARTILE(B1:B4,1)', '3.5']],
  'QUARTILE.INC': [['=QUARTILE.INC(B1:B4,4)', '31.25']],
  QUOTIENT: [['=QUOTIENT(-7,2)', '-3']],
  RADIANS: [['=RADIANS(180)', '3.1415926536']],
  RAND: [['=AND(RAND()>=0,RAND()<1)', 'TRUE']],
  RANDBETWEEN: [
    ['=RANDBETWEEN(3,3)', '3'],
    ['=RANDBETWEEN(4,3)', '#NUM!'],
  ],
  RANK: [
    ['=RANK(4,B1:B4)', '3'],
    ['=RANK(4,B1:B4,1)', '2'],
    ['=RANK(5,B1:B4)', '#N/A'],
  ],
  'RANK.EQ': [['=RANK.EQ(31.25,B1:B4)', '1']],
  REPLACE: [['=REPLACE("Lamp",2,2,"um")', 'Lump']],
  REPT: [['=REPT("ab",3)', 'ababab']],
  RIGHT: [['=RIGHT("Lamp",2)', 'mp']],
  ROUND: [
    ['=ROUND(1.005,2)', '1.01'],
    ['=ROUND(-2.5,0)', '-3'],
    ['=ROUND(1234,-2)', '1200'],
    ['=ROUND(2.5)', '3'],
  ],
  ROUNDDOWN: [
    ['=ROUNDDOWN(-1.99,1)', '-1.9'],
    ['=ROUNDDOWN(0.3,1)', '0.3'],
  ],
  ROUNDUP: [
    ['=ROUNDUP(1.01,0)', '2'],
    ['=ROUNDUP(0.3,1)', '0.3'],
  ],
  ROW: [
    ['=ROW()', '5'],
    ['=ROW(A3)', '3'],
  ],
  ROWS: [['=ROWS(A1:C2)', '2']],
  SEARCH: [
    ['=SEARCH("E","Tea")', '2'],
    ['=SEARCH("a?p","Lamp")', '2'],
    ['=SEARCH("x","Tea")', '#VALUE!'],
  ],
  SECOND: [['=SECOND(NOW())', '5']],
  SIGN: [['=SIGN(-3)', '-1']],
  SIN: [['=SIN(0)', '0']],
  SMALL: [['=SMALL(B1:B4,1)', '2']],
  SQRT: [
    ['=SQRT(9)', '3'],
    ['=SQRT(-1)', '#NUM!'],
  ],
  STDEV: [
    ['=ROUND(STDEV(2,4,4,4,5,5,7,9),4)', '2.1381'],
    ['=STDEV(1)', '#DIV/0!'],
  ],
  'STDEV.P': [['=STDEV.P(2,4,4,4,5,5,7,9)', '2']],
  'STDEV.S': [['=STDEV.S(1,3)', '1.4142135624']],
  STDEVP: [['=STDEVP(1,3)', '1']],
  SUBSTITUTE: [
    ['=SUBSTITUTE("a-b-c","-","+")', 'a+b+c'],
    ['=SUBSTITUTE("a-b-c","-","+",2)', 'a-b+c'],
  ],
  SUM: [
    ['=SUM(B1:B4)', '45.75'],
    ['=SUM("3",TRUE)', '4'],
    ['=SUM(A1:A4)', '0'],
  ],
  SUMIF: [
    ['=SUMIF(A1:A4,"tea",C1:C4)', '15'],
    ['=SUMIF(B1:B4,">5")', '39.75'],
  ],
  SUMIFS: [
    ['=SUMIFS(C1:C4,A1:A4,"tea",B1:B4,">2")', '10'],
    ['=SUMIFS(C1:C4,A1:A3,"tea")', '#VALUE!'],
  ],
  SUMPRODUCT: [
    ['=SUMPRODUCT(B1:B4,C1:C4)', '75.5'],
    ['=SUMPRODUCT(B1:B4,C1:C3)', '#VALUE!'],
  ],
  SUMSQ: [['=SUMSQ(3,4)', '25']],
  SWITCH: [
    ['=SWITCH(A2,"tea","hot","cold")', 'hot'],
    ['=SWITCH(3,1,"a")', '#N/A'],
  ],
  T: [
    ['=T(A1)', 'Mug'],
    ['=T(1)', ''],
  ],
  TAN: [['=TAN(0)', '0']],
  TEXT: [
    ['=TEXT(1234.5,"#,##0.00")', '1,234.50'],
    ['=TEXT(0.256,"0.0%")', '25.6%'],
    ['=TEXT(D3,"d mmm yyyy")', '3 May 2024'],
    ['=TEXT(NOW(),"hh:mm AM/PM")', '05:40 PM'],
    ['=TEXT(5,"000")', '005'],
    ['=TEXT(2.5,"0.##")', '2.5'],
    ['=TEXT(-3,"$0")', '-$3'],
  ],
  TEXTJOIN: [['=TEXTJOIN(", ",TRUE,C1:C4)', '3, 10, 5']],
  TIME: [['=TIME(12,0,0)', '0.5']],
  TODAY: [
    ['=TODAY()', '2024-05-03'],
    ['=TODAY()-D1', '2'],
  ],
  TRIM: [['=TRIM("  a   b ")', 'a b']],
  TRUE: [['=TRUE()', 'TRUE']],
  TRUNC: [['=TRUNC(-1.9)', '-1']],
  UPPER: [['=UPPER("abc")', 'ABC']],
  VALUE: [
    ['=VALUE("1,250")', '1250'],
    ['=VALUE("x")', '#VALUE!'],
  ],
  VAR: [['=VAR(1,3)', '2']],
  'VAR.P': [['=VAR.P(1,3)', '1']],
  'VAR.S': [['=VAR.S(1,2,3)', '1']],
  VARP: [['=VARP(1,3)', '1']],
  VLOOKUP: [
    ['=VLOOKUP("Lamp",A1:C4,2,FALSE)', '31.25'],
    ['=VLOOKUP("lamp",A1:C4,4,FALSE)', '#REF!'],
    ['=VLOOKUP("x",A1:C4,2,FALSE)', '#N/A'],
    ['=VLOOKUP(D2,D1:D3,1)', '2024-05-02'],
  ],
  WEEKDAY: [
    ['=WEEKDAY(D3)', '6'],
    ['=WEEKDAY(D3,2)', '5'],
  ],
  WORKDAY: [
    ['=WORKDAY(D3,1)', '2024-05-06'],
    ['=WORKDAY(D3,-2)', '2024-05-01'],
  ],
  XLOOKUP: [
    ['=XLOOKUP("Tea",A1:A4,B1:B4)', '4'],
    ['=XLOOKUP("x",A1:A4,B1:B4,"none")', 'none'],
  ],
  XOR: [['=XOR(TRUE,TRUE,TRUE)', 'TRUE']],
  YEAR: [
    ['=YEAR(D1)', '2024'],
    ['=YEAR("x")', '#VALUE!'],
  ],
}

describe('the functions', () => {
  it('[CF11] all have an example', () => {
    expect(Object.keys(EXAMPLES)).toEqual([...SHEET_FUNCTIONS.keys()].toSorted())
  })

  it.each(Object.entries(EXAMPLES))('[CF11] have the values of spreadsheets: %s', (_, examples) => {
    expect(examples.map(([formula]) => [formula, value(formula, DATA)])).toEqual(examples)
  })

  it('[CF12] read the clock of the scenario, and draw from its seed', () => {
    const row = [['=RAND()', '=RAND()', '=RANDBETWEEN(1,1000000)', '=TODAY()']]
    const [first] = values(row, {}, { nowMs: 0, seed: 1 })
    expect(values(row, {}, { nowMs: 0, seed: 1 })[0]).toEqual(first)
    expect(new Set([...first!, ...values(row, {}, { nowMs: 0, seed: 2 })[0]!.slice(0, 3)]).size).toBe(7)
    expect(first![3]).toBe('1970-01-01')
  })
})
