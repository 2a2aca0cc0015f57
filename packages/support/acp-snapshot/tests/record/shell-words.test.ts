import { expect, it } from 'vitest'
import { simpleCommands } from '../../src/record/shell-words.ts'

const words = (script: string) => simpleCommands(script).map((command) => command.words)

it.each<[string, string[][]]>([
  ['ls -l a', [['ls', '-l', 'a']]],
  ['  ls\t a ', [['ls', 'a']]],
  ['a; b && c || d & e\nf', [['a'], ['b'], ['c'], ['d'], ['e'], ['f']]],
  [`echo 'a; b' "c | d"`, [['echo', 'a; b', 'c | d']]],
  [`echo a'b'"c"d`, [['echo', 'abcd']]],
  [`echo "" ''`, [['echo', '', '']]],
  [String.raw`echo a\ b \; "\"x\$"`, [['echo', 'a b', ';', '"x$']]],
  ['a \\\n b', [['a', 'b']]],
  ['true && \\\nsudo x', [['true'], ['sudo', 'x']]],
  ['ls # not sudo\nsudo x', [['ls'], ['sudo', 'x']]],
  ['echo a#b', [['echo', 'a#b']]],
  ['cat <in >out 2>/dev/null', [['cat', 'in', 'out', '2', '/dev/null']]],
  ['(cd a; ls)', [['cd', 'a'], ['ls']]],
  [
    'echo $(cat x) $HOME',
    [
      ['cat', 'x'],
      ['echo', '', '$HOME'],
    ],
  ],
  [
    'echo "a $(cat "x)") b"',
    [
      ['cat', 'x)'],
      ['echo', 'a  b'],
    ],
  ],
  [
    String.raw`echo $(cat "x\")")`,
    [
      ['cat', 'x")'],
      ['echo', ''],
    ],
  ],
  [
    'echo $(cat "open',
    [
      ['cat', 'open'],
      ['echo', ''],
    ],
  ],
  [
    "echo $(echo ')' x)",
    [
      ['echo', ')', 'x'],
      ['echo', ''],
    ],
  ],
  [
    "echo $(echo 'a ) b' x)",
    [
      ['echo', 'a ) b', 'x'],
      ['echo', ''],
    ],
  ],
  ['echo $( (ls); pwd ) tail', [['ls'], ['pwd'], ['echo', '', 'tail']]],
  [
    'echo $(cat x)yz',
    [
      ['cat', 'x'],
      ['echo', 'yz'],
    ],
  ],
  ['a|b', [['a'], ['b']]],
  ['echo $((1 + (2)))', [['1', '+'], ['2'], ['echo', '']]],
  ['echo `date` "`id`"', [['date'], ['id'], ['echo', '', '']]],
  ['bash <(curl x)', [['bash'], ['curl', 'x']]],
  ['echo {{cwd}}/a', [['echo', '{{cwd}}/a']]],
  ["echo 'open", [['echo', 'open']]],
  ['echo "open', [['echo', 'open']]],
  ['echo $(open', [['open'], ['echo', '']]],
  ['', []],
  ['cat <<EOF > a; ls\nbody one\nEOF\npwd', [['cat', 'a'], ['ls'], ['pwd']]],
  ['cat <<-EOF\n\tbody\n\tEOF\npwd', [['cat'], ['pwd']]],
  ['cat <<EOF\nbody\n\tEOF\n', [['cat', 'EOF'], ['body'], ['EOF']]],
  ['cat <<A <<"B"\na\nA\nb\nB\npwd', [['cat'], ['pwd']]],
  ['cat <<EOF', [['cat', 'EOF']]],
  ['cat << ;ls', [['cat'], ['ls']]],
  ["cat <<'E F'\n$(a)\nE F\n", [['cat']]],
  ['cat <<EOF\n"$(a)" \\$(b)\nEOF', [['a'], ['cat']]],
  ['cat <<\\EOF\n$(a)\nEOF', [['cat', 'EOF'], ['a'], [''], ['EOF']]],
  ['echo $(cat <<EOF\n)\nEOF\n) x', [['cat'], ['echo', '', 'x']]],
  ["echo $'a\\'b\\n\\t\\r\\q\\x41\\u42\\103' c", [['echo', "a'b\n\t\rqABC", 'c']]],
  ["echo $'open", [['echo', 'open']]],
  ['echo $"a b" "$\'c"', [['echo', 'a b', "$'c"]]],
])('splits %j', (script, expected) => {
  expect(words(script)).toEqual(expected)
})

it('knows what a command reads where that stands in the script', () => {
  const fed = (script: string) => simpleCommands(script).map(({ words, fed }) => [words[0], fed])
  expect(fed('a <<EOF | b <<< "x y" z\none\ntwo\nEOF\nc')).toEqual([
    ['a', 'one\ntwo\n'],
    ['b', 'x y'],
    ['c', undefined],
  ])
  expect(fed('a <<X <<Y\n1\nX\n2\nY\n')).toEqual([['a', '1\n2\n']])
  expect(fed('a <<<; b c')).toEqual([
    ['a', undefined],
    ['b', undefined],
  ])
})

it('knows what is piped from what is not', () => {
  const piped = (script: string) =>
    simpleCommands(script).map(({ words, piped }) => `${words[0]}${piped ? ' reads' : ''}`)
  expect(piped('a | b |& c')).toEqual(['a', 'b reads', 'c reads'])
  expect(piped('a # b | c\nd')).toEqual(['a', 'd'])
  expect(piped('a || b; c | d\ne')).toEqual(['a', 'b', 'c', 'd reads', 'e'])
})
