// Options of programs: each option of each command, from the tables that the commands are made of,
// is given once, unless it says that it may be repeated.
#include "runtime/program/Command.h"
#include "tests/unit/runtime/ProgramTest.h"

using namespace weft::runtime;

using OptionsTest = ProgramTest;

TEST_F(OptionsTest, GivenTwiceIsRefused) {
  int seen = 0, repeatable = 0;
  for (const Command &command : {trainCommand(), generateCommand(), evalCommand(), runCommand(),
                                 benchCommand(), infoCommand()}) {
    std::vector<OptionSpec> options = command.options;
    for (const char *shared : {"threads", "isa"}) // of every command
      options.push_back({shared, "N", ""});
    for (const OptionSpec &option : options) {
      std::string name = std::string("--") + option.name, value = option.value;
      bool isSwitch = value.empty(), repeats = value.ends_with("...");
      std::vector<std::string> twice = {command.name, name};
      if (!isSwitch)
        twice.push_back("1");
      twice.push_back(isSwitch ? name : name + "=2"); // in either form
      int code = run(twice);
      bool refused =
          code == 2 && error().find(name + " is given twice: give it once\n") != std::string::npos;
      EXPECT_EQ(refused, !repeats) << command.name << ' ' << name << ": " << error();
      if (value.ends_with("...") && !value.ends_with(",..."))
        EXPECT_NE(std::string(option.help).find("may be repeated"), std::string::npos) << name;
      ++seen;
      repeatable += repeats;
    }
  }
  std::printf("%d options, %d of which may be repeated\n", seen, repeatable);
  EXPECT_GT(seen, 60);
  EXPECT_LT(repeatable, 12);
}

/// Both options are said, however far they are apart, before anything is read.
TEST_F(OptionsTest, TheFirstDoesNotMatter) {
  EXPECT_EQ(run({"train", "--steps", "5", "--data", "text:x", "--out", "a", "--steps", "5"}), 2);
  EXPECT_EQ(error(), "weft_bigram: --steps is given twice: give it once\n"
                     "`weft_bigram train --help` lists the options.\n");
  EXPECT_EQ(run({"run", "--help", "--help"}), 2);
}
