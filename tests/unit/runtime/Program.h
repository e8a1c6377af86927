// Runs the hand-written program as a user would, and keeps what it said.
#pragma once
#include <csignal>
#include <fcntl.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

/// A started process of the program; output and error go to files.
class Program {
public:
  Program(std::vector<std::string> arguments, const std::string &outputPath,
          const std::string &errorPath, const char *executable = WEFT_BIGRAM, bool asNobody = false)
      : outputPath(outputPath), errorPath(errorPath) {
    arguments.insert(arguments.begin(), executable);
    process = fork();
    if (process != 0)
      return;
    if (asNobody && geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0))
      _exit(126);
    for (auto [path, stream] : {std::pair{outputPath, STDOUT_FILENO}, {errorPath, STDERR_FILENO}})
      dup2(open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666), stream);
    std::vector<char *> pointers;
    for (std::string &argument : arguments)
      pointers.push_back(argument.data());
    pointers.push_back(nullptr);
    execv(executable, pointers.data());
    _exit(127);
  }
  void send(int signal) const { kill(process, signal); }
  /// Whether it has not ended: what waits for something it does would wait for ever.
  bool running() const {
    siginfo_t ended{};
    waitid(P_PID, static_cast<id_t>(process), &ended, WEXITED | WNOHANG | WNOWAIT);
    return ended.si_pid == 0;
  }
  /// The exit code; 1000 and the signal that ended it otherwise.
  int wait() const {
    int status = 0;
    waitpid(process, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
  }

private:
  std::string outputPath, errorPath;
  pid_t process;
};
