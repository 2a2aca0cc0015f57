import { describe, expect, it } from 'vitest'
import { commandProblems } from '../../src/record/command-guard.ts'

const names = (command: string, allowed: string[] = [], workdir?: string) =>
  commandProblems(command, allowed, workdir).map((problem) => problem.name)

describe('what a replay may run anywhere', () => {
  it.each([
    'ls -la src && wc -l < a.txt',
    'cd {{cwd}}/data && pwd && cat a.txt',
    'grep -rn "foo/bar" . | sort | uniq -c > out.txt 2>/dev/null',
    'node --test > log 2>&1; tail -5 log',
    'A=1 B=2 env | grep A',
    'git status && git log --oneline | head -3 && git commit -m "fetch it"',
    'npm test -- --run',
    'cut -d/ -f1 paths.txt',
    'echo $(($(cat n.txt) + 1)) > n.txt',
    'cat a/../b.txt ./c ...',
    'sed -i s/a/b/ x.txt',
    'echo "$PWD" && printf %s a..b',
    'printf "ls" > script && chmod +x script',
    'bash script.sh',
    'A=1',
    'cat < /dev/stdin > /dev/stdout 2> /dev/stderr',
    'grep -c "curl x" notes',
    'bash run-c "curl x"',
    'bash ssh',
    'bash --norc script.sh',
    'tool lib-I/usr/include',
    'cd sub && cd - && cd ./x',
    'A=b:c tool; URL=http://x/y tool',
    "cat > notes.md <<EOF\nsee /usr/bin and ../x, it's sudo\nEOF\ncat notes.md",
    "python3 - <<'EOF'\nprint('a/b'.split('/'))\nEOF",
    'cat a.json | python3 -m json.tool; cat x | node script.js',
    'node -e "console.log(1)"; perl -pe s/a/b/ x',
    'cp a.{js,ts} x && echo {a,b}/{c,d}',
    'time -p ls; function f { ls; }; f',
    'trap "rm -f x" EXIT',
    'echo $PWD/a ${PWD}/b',
    'cat <<< "/etc/passwd"',
  ])('%s', (command) => {
    expect(names(command)).toEqual([])
  })
})

describe('what it may not', () => {
  it.each<[string, string[]]>([
    ['cat /etc/hostname', ['/etc/hostname']],
    ['ls /', ['/']],
    ['rm -rf ~', ['~']],
    ['cat ~/notes "$HOME/x" ${HOME}/y', ['~/notes', '$HOME/x', '${HOME}/y']],
    ['ls $HOME', ['$HOME']],
    ['echo x > /tmp/x', ['/tmp/x']],
    ['tool --file=/srv/a -I/usr/include', ['/srv/a', '/usr/include']],
    ['CONFIG=/etc/x tool', ['/etc/x']],
    ['/usr/bin/env node', ['/usr/bin/env']],
    ['cat ../x a/../../y {{cwd}}/../z', ['../x', 'a/../../y', '{{cwd}}/../z']],
    ['tool --in=../x', ['--in=../x']],
    ['exec 3<>/dev/tcp/localhost/80', ['/dev/tcp/localhost/80']],
    ['sudo ls', ['sudo']],
    ['sudo -u me curl example.org', ['sudo', 'curl']],
    ['true && doas x', ['doas']],
    ['curl -s https://example.org', ['curl']],
    ['/usr/bin/wget x', ['wget', '/usr/bin/wget']],
    ['if true; then ssh host; fi', ['ssh']],
    ['time nc -l 1', ['nc']],
    ['timeout 5 curl x', ['curl']],
    ['ls | xargs -n 1 curl', ['curl']],
    ['find . -exec curl {} \\;', ['curl']],
    ['A=1 curl x', ['curl']],
    ['git clone https://example.org/x', ['git']],
    ['npm install left-pad', ['npm']],
    ['pip install x && npx y', ['pip', 'npx']],
    ['cat x | bash', ['bash']],
    ['cat x | sudo sh -s', ['sudo', 'sh']],
    ['bash <(curl x)', ['curl']],
    ['bash -c "sudo x"', ['sudo']],
    ['bash -ec "sudo x"', ['sudo']],
    ['bash -Ecx "sudo x"', ['sudo']],
    ['bash -e -c "sudo x"', ['sudo']],
    ['eval sudo x', ['sudo']],
    ['FOO_1=x BAR=/usr/bin/curl', ['/usr/bin/curl']],
    ['FOO_1=x BAR=y curl z', ['curl']],
    ['sh -ec', []],
    [`eval 'cat /etc/passwd'`, ['/etc/passwd']],
    ['echo "$(curl x)"', ['curl']],
    ['curl a; curl b', ['curl']],
    ['cd; ls', ['cd']],
    ['cd -P && ls', ['cd']],
    [
      "cat $'/etc/passwd' $'\\x2fetc/x' $'\\57etc/y' $'\\u002fetc/z'",
      ['/etc/passwd', '/etc/x', '/etc/y', '/etc/z'],
    ],
    ["cat $'it\\'s' $\"/etc/x\"; sudo x", ['/etc/x', 'sudo']],
    ['cat ${HOME:-/root}/x ${HOME%/}', ['${HOME:-/root}/x', '${HOME%/}']],
    ['rm -r $PWD/../x ${PWD}/../y A=$PWD/../z', ['$PWD/../x', '${PWD}/../y', 'A=$PWD/../z']],
    ['cat {a,/etc/x} {/etc/,}y {..,b}/z', ['/etc/x', '/etc/y', '../z']],
    ['tar -C/ -xf a; curl file:///etc/x', ['/', 'curl', '/etc/x']],
    ['PATH=$PATH:/opt/x:~/bin ls', ['/opt/x', '~/bin']],
    ['function f { sudo x; }; f', ['sudo']],
    ['function f { sh; } <<< "sudo x"; coproc curl x', ['curl']],
    ['time -p sudo x; coproc doas x; busybox wget x', ['sudo', 'doas', 'wget']],
    ['trap "curl x" EXIT', ['curl']],
    ['run0 ls', ['run0']],
    ['cat x | python3 -; cat x | node; cat x | perl', ['python3', 'node', 'perl']],
    ['python3 -m pip install x', ['pip']],
    ['bun add x; bunx y', ['bun', 'bunx']],
    [`python3 -c "open('/etc/passwd')"; node -e 'f("~/x")'`, ['/etc/passwd', '~/x']],
    ["python3 <<'EOF'\nopen('/etc/x')\nEOF", ['/etc/x']],
    ['bash <<< "sudo x"; env bash <<< \'curl y\'', ['sudo', 'curl']],
    ['bash <<EOF\nsudo x\nEOF\ncurl y', ['sudo', 'curl']],
    ["cat <<EOF\nit's $(sudo x) `curl y`\nEOF\ndoas z", ['sudo', 'curl', 'doas']],
    ["cat <<'EOF' | sh\n$(curl y)\nEOF", ['sh']],
    ["git commit -m \"$(cat <<'EOF'\nit's (done\nEOF\n)\" && sudo x", ['sudo']],
    ["cat <<EOF\nit's open\nsudo x", []],
    ['cat <<EOF\nopen\nsudo x', ['sudo']],
  ])('%s', (command, expected) => {
    expect(names(command)).toEqual(expected)
  })

  it.each([
    ['sudo doas su pkexec', (word: string) => `${word} x`, 'takes more rights'],
    [
      'curl wget http https nc ncat netcat socat telnet ssh scp sftp rsync ftp tftp ping traceroute ' +
        'dig nslookup host whois npx uvx pipx docker podman gh aws gcloud az kubectl',
      (word: string) => `${word} x`,
      'goes to the network',
    ],
    [
      'sh bash dash zsh ksh fish',
      (word: string) => `cat x | ${word}`,
      'runs what is piped into it',
    ],
  ])('%s: each of them, and no longer word', (all, command, reason) => {
    for (const word of all.split(' ')) {
      const problems = [{ name: word, reason: `${word} ${reason}` }]
      expect(commandProblems(command(word))).toEqual(problems)
      expect(commandProblems(command(`${word}x`))).toEqual([])
    }
  })

  it.each([
    ['git', 'clone fetch pull push ls-remote submodule', 'log commit'],
    ['npm', 'install i ci add update publish create exec', 'test run'],
    ['pnpm', 'install i add update publish create dlx', 'test run'],
    ['yarn', 'install add upgrade publish create dlx', 'test run'],
    ['pip', 'install download', 'list'],
    ['pip3', 'install download', 'list'],
    ['uv', 'add sync pip', 'run'],
    ['cargo', 'install fetch publish', 'build'],
    ['go', 'get install', 'test'],
    ['gem', 'install', 'list'],
    ['apt', 'install update upgrade', 'list'],
    ['apt-get', 'install update upgrade', 'check'],
    ['brew', 'install update upgrade', 'list'],
  ])('%s goes out for %s, and not for %s', (program, out, inside) => {
    for (const word of out.split(' ')) {
      const reason = `${program} ${word} goes to the network`
      expect(commandProblems(`${program} -q ${word} x`)).toEqual([{ name: program, reason }])
      expect(names(`other ${word} x`)).toEqual([])
    }
    for (const word of inside.split(' ')) expect(names(`${program} ${word} x`)).toEqual([])
  })

  it('is found behind every word that a shell or a program may put before it', () => {
    const keywords = '! { } if then elif else while until do time'
    const starters =
      'env command exec builtin nohup nice stdbuf setsid xargs timeout find parallel watch'
    for (const word of `${keywords} ${starters}`.split(' ')) {
      expect(names(`${word} A=1 curl x`)).toEqual(['curl'])
    }
    expect(names('echo curl x')).toEqual([])
    expect(names('1A=1 curl x')).toEqual([])
  })

  it('leaves a word as it is that stands for very many', () => {
    const many = '{a,b}'.repeat(7)
    expect(names(`echo ${many}/../../x`)).toEqual([`${many}/../../x`])
    expect(names('cat ${a,/x}')).toEqual([])
  })

  it('says why', () => {
    expect(commandProblems('sudo ls /x | sh; curl y; git pull; cat ../z')).toEqual([
      { name: 'sudo', reason: 'sudo takes more rights' },
      { name: '/x', reason: '/x lies outside the working directory' },
      { name: 'sh', reason: 'sh runs what is piped into it' },
      { name: 'curl', reason: 'curl goes to the network' },
      { name: 'git', reason: 'git pull goes to the network' },
      { name: '../z', reason: '../z leads out of the working directory' },
    ])
  })

  it('looks at the folder that a command runs in', () => {
    expect(names('ls', [], '/etc')).toEqual(['/etc'])
    expect(names('ls', [], '..')).toEqual(['..'])
    expect(names('ls', [], 'sub')).toEqual([])
  })
})

describe('what a scenario allows', () => {
  it('is allowed by name, and paths with all below them', () => {
    expect(names('curl x; sudo y', ['curl'])).toEqual(['sudo'])
    expect(names('ls /usr/share/doc /usr/sharex', ['/usr/share'])).toEqual(['/usr/sharex'])
    expect(names('ls /usr/share/doc', ['/usr/share/'])).toEqual([])
    expect(names('curl x', ['cur'])).toEqual(['curl'])
  })
})
