// `quarry completion SHELL`: prints a script that completes commands and their flags.
import { ConfigError, SHORT_FLAGS } from '../config/load.js';
import { CONFIG_KEYS } from '../config/schema.js';
import { argumentsOf } from './reading.js';
import { flagsOf, switchesOf, type Verb } from './verb.js';

/** `verbs` returns all verbs; it is called when the command runs. */
export function completionVerb(verbs: () => readonly Verb[]): Verb {
  return {
    name: 'completion',
    usage: ['bash|zsh|fish'],
    about: 'Prints a script that completes commands and flags in this shell.',
    flags: {},
    remote: false,
    examples: [
      'completion bash > /etc/bash_completion.d/quarry',
      'completion zsh > ~/.zfunc/_quarry',
      'completion fish > ~/.config/fish/completions/quarry.fish',
    ],
    run: async (context) => {
      const [shell = ''] = argumentsOf(context, 'SHELL');
      const script = scriptFor(shell, verbs());
      if (context.json) context.print(JSON.stringify({ shell, script }));
      else for (const line of script.split('\n')) context.print(line);
      return 0;
    },
  };
}

interface CompletedVerb {
  readonly name: string;
  /** Flags with their descriptions, which may be empty. */
  readonly flags: Readonly<Record<string, string>>;
}

function scriptFor(shell: string, verbs: readonly Verb[]): string {
  const commands = verbs.map(completedVerb);
  const names = [...commands.map(({ name }) => name), 'help', 'version'].join(' ');
  if (shell === 'bash') return bash(names, commands);
  if (shell === 'zsh')
    return `#compdef quarry\nautoload -U +X bashcompinit && bashcompinit\n${bash(names, commands)}`;
  if (shell === 'fish') return fish(names, commands);
  throw new ConfigError(`completion knows bash, zsh and fish, not [${shell}]`);
}

const HELP = { help: 'what this command is given' };

function completedVerb(verb: Verb): CompletedVerb {
  const keys = verb.configured === true ? [...Object.keys(SHORT_FLAGS), ...CONFIG_KEYS] : [];
  const settings = Object.fromEntries(keys.map((key) => [key, '']));
  return {
    name: verb.name,
    flags: { ...settings, ...flagsOf(verb), ...switchesOf(verb), ...HELP },
  };
}

function bash(names: string, commands: readonly CompletedVerb[]): string {
  return [
    '_quarry() {',
    `  local word="\${COMP_WORDS[COMP_CWORD]}"`,
    '  if [ "$COMP_CWORD" -eq 1 ]; then',
    `    COMPREPLY=($(compgen -W "${names}" -- "$word"))`,
    '    return',
    '  fi',
    `  case "\${COMP_WORDS[1]}" in`,
    ...commands.map(({ name, flags }) => {
      const words = Object.keys(flags).map((flag) => `--${flag}`);
      return `    ${name}) COMPREPLY=($(compgen -W "${words.join(' ')}" -- "$word")) ;;`;
    }),
    '  esac',
    '}',
    'complete -o default -F _quarry quarry',
  ].join('\n');
}

function fish(names: string, commands: readonly CompletedVerb[]): string {
  const quoted = (text: string): string => `'${text.replaceAll(/['\\]/g, '\\$&')}'`;
  return [
    `complete -c quarry -n __fish_use_subcommand -a ${quoted(names)}`,
    ...commands.flatMap(({ name, flags }) =>
      Object.entries(flags).map(
        ([flag, about]) =>
          `complete -c quarry -n '__fish_seen_subcommand_from ${name}' -l ${flag}${about === '' ? '' : ` -d ${quoted(about)}`}`,
      ),
    ),
  ].join('\n');
}
